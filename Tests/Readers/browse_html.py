#!/usr/bin/env python3
"""Opens HTML pages in Chromium: numbers, order, search, keyboard, address, print, size, time and accessibility.

    APPBOOT_REPORT_SAMPLES=DIR swift test --filter SampleFiles
    pip install axe-playwright-python
    python3 Tests/Readers/browse_html.py DIR

A page with a record beside it (`NAME.json`) must have the record's numbers. It saves screenshots beside each page: light,
dark and with forced colours, 1280, 768 and 375 pixels wide; and the printed page.
"""

import json
import pathlib
import sys

import accessibility
from chromium import Chromium
from records import with_estimated_end

UNITS = [("ns", 1, 1, 1000), ("µs", 1000, 10, 10), ("µs", 1000, 1, 1000), ("ms", 10**6, 10, 100),
         ("ms", 10**6, 1, 1000), ("s", 10**9, 100, 10), ("s", 10**9, 10, 60)]
ROW_LIMIT = 200
LARGEST_PAGE = 2_000_000
# On an idle machine a page of 5,000 steps is ready after about 300 ms.
LONGEST_START = 3_000

ROWS = """[...document.querySelectorAll('#steps tbody tr')].map(r => ({
  i: Number(r.dataset.i), name: r.querySelector('th').textContent,
  cells: [...r.cells].map(c => ({text: c.textContent.trim().replaceAll('\\u00a0', ' '), v: c.dataset.v}))}))"""

# Stores each text that a canvas cuts at its right edge.
CUT_TEXTS = """window.cut = [];
const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const width = this.canvas.clientWidth;
  if (x < width && x + this.measureText(text).width > width + 1) cut.push(text);
  fillText.call(this, text, x, y);
};"""
# The width in pixels at which pictures are printed.
PAPER_WIDTH = 700


def brief(value):
    """Returns a time with about three digits, as reports write it."""
    if value == 0:
        return "0 s"
    for name, unit, scale, limit in UNITS:
        rounded = (value + unit // scale // 2) // (unit // scale)
        if rounded < limit * scale:
            digits = {1: 0, 10: 1, 100: 2}[scale]
            return f"{rounded / scale:.{digits}f} {name}"
    raise SystemExit(f"error: {value} is longer than a sample takes")


def check(condition, message):
    if not condition:
        raise SystemExit(f"error: {message}")


def check_rows(name, rows, record, order):
    check([row["i"] for row in rows] == order[:ROW_LIMIT], f"{name}: the rows are {[row['i'] for row in rows][:20]}")
    for row in rows:
        step = record["steps"][row["i"]]
        started, waited, ran, slack = row["cells"][4:8]
        has_run = "start" in step
        for cell, value in ((started, step.get("start")), (waited, step["waiting"] if has_run else None),
                            (ran, step["running"] if has_run else None), (slack, step.get("slack"))):
            check(cell["v"] == ("" if value is None else str(value)), f"{name}: {step['id']}: {cell}, not {value}")
            least = "at least " if cell is ran and step["state"] == "running" else ""
            check(cell["text"] == ("" if value is None else least + brief(value)), f"{name}: {step['id']}: {cell}")


def sorted_steps(record, rank):
    return sorted(range(len(record["steps"])), key=lambda i: (rank(record["steps"][i]), i))


def by_start(record):
    return sorted_steps(record, lambda step: step.get("start", 1 << 62))


def choose(browser, element, value, event):
    browser.evaluate(
        f"(() => {{ const e = document.getElementById('{element}'); e.value = {json.dumps(value)}; "
        f"e.dispatchEvent(new Event('{event}')); }})()")
    browser.settle()


def check_without_scripts(browser, page, record):
    """Checks the table that a reader without scripts sees."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    check_rows(f"{page.name} without scripts", browser.evaluate(ROWS), record, by_start(record))
    check(browser.evaluate("document.getElementById('pictures').hidden"), f"{page.name}: pictures without scripts")
    check(brief(record["duration"]) in browser.evaluate("document.querySelector('.lead').textContent"),
          f"{page.name}: the verdict has no time")


def check_order(browser, name, record):
    browser.settle()
    check_rows(name, browser.evaluate(ROWS), record, by_start(record))
    for order, rank in (("time", lambda s: -s["running"] if "start" in s else 1), ("manifest", lambda s: 0),
                        ("wait", lambda s: -s["waiting"] if "start" in s else 1)):
        choose(browser, "order", order, "change")
        check_rows(f"{name} by {order}", browser.evaluate(ROWS), record, sorted_steps(record, rank))
    heads = "[...document.querySelectorAll('#steps thead th')]"
    check(browser.evaluate(f"{heads}.filter(h => h.ariaSort === 'descending').length") == 1, f"{name}: aria-sort")
    browser.evaluate(f"{heads}[4].querySelector('button').click()")
    browser.settle()
    check(browser.evaluate("document.getElementById('order').value") == "start", f"{name}: a click on a heading")


def check_search(browser, name, record):
    last = record["steps"][-1]["id"]
    choose(browser, "find", last if last.isalnum() else "nothing has this", "input")
    found = [row["i"] for row in browser.evaluate(ROWS)]
    check((len(record["steps"]) - 1 in found) == last.isalnum(), f"{name}: found {found[:20]}")
    failed = [i for i, s in enumerate(record["steps"]) if s["state"] == "failed"]
    choose(browser, "find", "failed", "input")
    check(set(failed[:ROW_LIMIT]) <= {row["i"] for row in browser.evaluate(ROWS)}, f"{name}: failed steps")
    choose(browser, "find", "", "input")


def check_keyboard(browser, name, record):
    fragment = "decodeURIComponent(location.hash.replaceAll('+', ' '))"
    browser.evaluate("document.activeElement.blur()")
    browser.press("/")
    check(browser.evaluate("document.activeElement.id") == "find", f"{name}: / does not focus the search")
    browser.evaluate("document.activeElement.blur()")
    browser.press("j")
    browser.settle()
    check(browser.evaluate("document.activeElement.id") == "waterfall", f"{name}: j")
    first = record["steps"][by_start(record)[0]]
    title = browser.evaluate("document.querySelector('#step h3').textContent")
    if first["id"].isalnum():
        check(title.startswith(first["id"]), f"{name}: j selects {title}")
        check(f"step={first['id']}" in browser.evaluate(fragment), f"{name}: the address")
    if "start" in first:
        facts = browser.evaluate("document.querySelector('#step .facts').textContent").replace("\u00a0", " ")
        # A service that stays has no end: its time is that until it was ready.
        words = [f"{word}{brief(first['running'])}" for word in ("Ran", "Ready after")]
        check(any(word in facts for word in words), f"{name}: {facts}")
    browser.press("+")
    browser.settle()
    has_zoomed = "range=" in browser.evaluate(fragment)
    # A launch of a microsecond cannot be enlarged.
    check(has_zoomed or record["duration"] <= 1_000, f"{name}: + does not zoom")
    browser.press("0")
    check("range=" not in browser.evaluate(fragment), f"{name}: 0 does not show the whole launch")
    browser.press("End")
    browser.press("Escape")
    browser.settle()
    check(browser.evaluate("document.getElementById('step').hidden"), f"{name}: Escape")


def check_in_sight(browser, name, place):
    """Checks that the window shows the row of a step in the waterfall, and the step's panel."""
    top, bottom, panel, height, scroll = browser.evaluate(
        "(() => { const s = document.getElementById('scroll'), b = s.getBoundingClientRect(), "
        "p = document.getElementById('step').getBoundingClientRect(); "
        "return [b.top, b.bottom, p.top, innerHeight, s.scrollTop]; })()")
    row = top + place * 22 - scroll
    check(max(0, top) <= row <= min(bottom, height) - 22, f"{name}: the row is at {row} of {top} to {bottom}")
    check(0 <= panel <= height * 0.7, f"{name}: the panel is at {panel} in a window of {height}")


def check_legend(browser, name, record):
    """Checks that the legend has only what occurs."""
    shown = browser.evaluate("[...document.querySelectorAll('.legend li')].filter(i => !i.hidden)"
                             ".map(i => i.dataset.if)")
    states = {step["state"] for step in record["steps"]}
    check("before" not in shown or "comparison" in name, f"{name}: the legend has {shown}")
    check(("bad" in shown) <= bool(states & {"failed", "timedOut"}), f"{name}: the legend has {shown}")
    words = browser.evaluate("[...document.querySelectorAll('.legend li')].filter(i => !i.hidden)"
                             ".map(i => i.textContent.trim())")
    check(all(words) and len(set(words)) == len(words), f"{name}: the legend says {words}")
    check(("undo" in shown) == any("undo" in step for step in record["steps"]), f"{name}: the legend has {shown}")


def check_range(browser, name, record):
    """Selects the first tenth of the launch: only the rows of steps in it stay."""
    box = browser.evaluate("(() => { const b = document.getElementById('waterfall').getBoundingClientRect(); "
                           "return [b.x, b.y, b.width]; })()")
    left = min(240, max(128, round(box[2] * 0.22)))
    width, y = box[2] - left - 12, box[1] + 10
    event = {"y": y, "button": "left", "buttons": 1, "modifiers": 8, "clickCount": 1}
    browser.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0] + left + 1, **event)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + left + width * 0.05, **event)
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=box[0] + left + width * 0.1, **event)
    browser.settle()
    late = {i for i, step in enumerate(record["steps"])
            if "start" not in step or step["start"] - step["waiting"] > record["duration"] * 0.2}
    rows = {row["i"] for row in browser.evaluate(ROWS)}
    check(not rows & late, f"{name}: rows outside of the range: {sorted(rows & late)[:20]}")
    check("rows=" in browser.evaluate("location.hash"), f"{name}: the address has no range")
    browser.evaluate("document.getElementById('whole').click()")
    browser.settle()


def check_pointer(browser, name):
    browser.evaluate("document.getElementById('waterfall').scrollIntoView()")
    box = browser.evaluate("(() => { const b = document.getElementById('waterfall').getBoundingClientRect(); "
                           "return [b.x, b.y, b.width]; })()")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + box[2] / 2, y=box[1] + 10)
    browser.settle()
    tip = browser.evaluate("document.getElementById('tip').textContent")
    check("ran " in tip or "was ready after " in tip, f"{name}: no tooltip")
    browser.click(box[0] + box[2] / 2, box[1] + 10)
    browser.settle()
    check(not browser.evaluate("document.getElementById('step').hidden"), f"{name}: a click selects no step")


def check_address(browser, page, record):
    """Checks that the page shows what its address has."""
    number = len(record["steps"]) // 2
    step = record["steps"][number]["id"]
    if not step.isalnum():
        return
    browser.evaluate("scrollTo(0, document.body.scrollHeight)")
    browser.evaluate(f"location.hash = 'step={step}&order=time&range=0-{max(2000, record['duration'] // 2)}'")
    browser.settle()
    check(browser.evaluate("document.querySelector('#step h3').textContent").startswith(step), f"{page.name}: step")
    check(browser.evaluate("document.getElementById('order').value") == "time", f"{page.name}: order")
    check_in_sight(browser, page.name, sorted_steps(record, lambda s: -s["running"] if "start" in s else 1).index(number))
    for width, height in ((1440, 900), (390, 844), (1280, 600)):
        browser.open(page, width=width, height=height)
        browser.evaluate(f"location.hash = 'step={step}'")
        browser.settle()
        check_in_sight(browser, f"{page.name}, {width} pixels", by_start(record).index(number))


def check_looks(browser, page, axe):
    for width in (1280, 768, 375):
        for name, options in (("light", {}), ("dark", {"dark": True}), ("forced", {"forced": True})):
            browser.open(page, width=width, **options)
            browser.settle()
            wide = browser.evaluate("document.documentElement.scrollWidth > innerWidth")
            check(not wide, f"{page.name}: wider than {width} pixels")
            check(not browser.complaints(), f"{page.name}: {browser.complaints()}")
            cut = browser.evaluate("cut")
            check(not cut, f"{page.name}, {width} pixels: the waterfall cuts {cut}")
            if axe:
                found = accessibility.violations(browser, axe)
                check(not found, f"{page.name}, {width} pixels, {name}: {json.dumps(found, indent=1)}")
            browser.screenshot(page.with_name(f"{page.stem}-{width}-{name}.png"))
    browser.open(page, width=1280, dark=True)
    browser.settle()
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    box = browser.evaluate("document.querySelector('#pictures:not([hidden]) .box')?.offsetWidth")
    check(box in (None, PAPER_WIDTH), f"{page.name}: a printed picture is {box} pixels wide")
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    browser.print(page.with_suffix(".pdf"))
    check(not browser.complaints(), f"{page.name}: {browser.complaints()}")


def check_page(browser, page, axe):
    path = page.with_suffix(".json")
    record = with_estimated_end(json.loads(path.read_text())) if path.exists() else {"steps": []}
    if record["steps"]:
        check_without_scripts(browser, page, record)
    browser.open(page)
    count = browser.evaluate("[document.scripts.length, document.images.length]")
    check(count in ([3, 0], [1, 0]), f"{page.name}: scripts and images: {count}")
    start = browser.evaluate("performance.getEntriesByName('ready')[0]?.startTime") if count[0] > 1 else 0
    check(start is not None and start < LONGEST_START, f"{page.name}: ready after {start} ms")
    size = page.stat().st_size
    check(size < LARGEST_PAGE, f"{page.name}: {size} bytes")
    if record["steps"]:
        check_order(browser, page.name, record)
        check_search(browser, page.name, record)
        check_keyboard(browser, page.name, record)
        if any("start" in step for step in record["steps"]):
            check_pointer(browser, page.name)
            check_range(browser, page.name, record)
        check_legend(browser, page.name, record)
        check_address(browser, page, record)
    check(not browser.complaints(), f"{page.name}: {browser.complaints()}")
    check_looks(browser, page, axe)
    print(f"{page.name}: {len(record['steps'])} steps, {size} bytes, ready after {start:.0f} ms")


def main(directory):
    axe = accessibility.script()
    if axe is None:
        print("skipped: accessibility: pip install axe-playwright-python")
    browser = Chromium()
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=CUT_TEXTS)
    for page in sorted(pathlib.Path(directory).glob("*.html")):
        check_page(browser, page, axe)
    browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

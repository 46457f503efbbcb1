#!/usr/bin/env python3
"""Opens HTML reports in Chromium: no console errors, the record's numbers, sorting, searching, keyboard.

    APPBOOT_REPORT_SAMPLES=DIR swift test --filter SampleFiles
    python3 Tests/Readers/browse_html.py DIR

It saves screenshots beside each page: light and dark, 1400 and 400 pixels wide.
"""

import json
import pathlib
import sys

from chromium import Chromium
from records import with_estimated_end

UNITS = [("ns", 1, 1, 1000), ("µs", 1000, 10, 10), ("µs", 1000, 1, 1000), ("ms", 10**6, 10, 100),
         ("ms", 10**6, 1, 1000), ("s", 10**9, 100, 10), ("s", 10**9, 10, 60)]

ROWS = """[...document.querySelectorAll('#steps tbody tr.step')].filter(r => !r.hidden).map(r => ({
  i: Number(r.dataset.i), cells: [...r.cells].map(c => ({text: c.innerText.trim(), v: c.dataset.v}))}))"""


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


def check_numbers(browser, name, record):
    rows = browser.evaluate(ROWS)
    known = with_estimated_end(record)
    check(len(rows) == len(record["steps"]), f"{name}: {len(rows)} rows")
    for row, step in zip(rows, known["steps"]):
        started, waited, ran, slack = row["cells"][4:8]
        has_run = "start" in step
        for cell, value in ((started, step.get("start")), (waited, step["waiting"] if has_run else None),
                            (ran, step["running"] if has_run else None), (slack, step.get("slack"))):
            check(cell["v"] == ("" if value is None else str(value)), f"{name}: {step['id']}: {cell}")
            check(cell["text"] == ("" if value is None else brief(value)), f"{name}: {step['id']}: {cell}")
    shown = browser.evaluate("document.getElementById('duration').firstChild.data")
    check(shown == brief(known["duration"]), f"{name}: duration {shown}")
    embedded = json.loads(browser.evaluate("document.getElementById('record').textContent"))
    check(embedded == record, f"{name}: the embedded record differs")
    # The page's own formatting of times must agree.
    opened = browser.evaluate(
        "(() => { const r = document.querySelector('tr.step'); r.click(); "
        "const t = r.nextElementSibling.innerText; r.click(); return t; })()")
    first = record["steps"][0]
    check(f"{brief(first['running'])} ({first['running']} ns)" in opened or "start" not in first, f"{name}: {opened}")


def check_sorting(browser, name, record):
    for column, key in ((6, "running"), (5, "waiting")):
        for direction in ("descending", "ascending"):
            browser.evaluate(f"document.querySelectorAll('#steps thead th')[{column}].firstElementChild.click()")
            sort = browser.evaluate(f"document.querySelectorAll('#steps thead th')[{column}].ariaSort")
            check(sort == direction, f"{name}: aria-sort is {sort}")
            order = [row["i"] for row in browser.evaluate(ROWS)]
            sign = -1 if direction == "descending" else 1

            def rank(index):
                step = record["steps"][index]
                return (sign * (step[key] if "start" in step else -1), index)
            check(order == sorted(range(len(record["steps"])), key=rank), f"{name}: order by {key}, {direction}")
    browser.evaluate("document.querySelectorAll('#steps thead th')[0].firstElementChild.click()")


def choose(browser, element, value, event):
    browser.evaluate(
        f"(() => {{ const e = document.getElementById('{element}'); e.value = {json.dumps(value)}; "
        f"e.dispatchEvent(new Event('{event}')); }})()")


def check_searching(browser, name, record):
    last = browser.evaluate(ROWS)[-1]
    choose(browser, "find", last["cells"][1]["text"].splitlines()[0], "input")
    found = [row["i"] for row in browser.evaluate(ROWS)]
    check(last["i"] in found and len(found) < max(2, len(record["steps"])), f"{name}: found {found}")
    choose(browser, "find", "", "input")
    choose(browser, "show", "critical", "change")
    shown = [row["i"] for row in browser.evaluate(ROWS)]
    check(shown == [i for i, s in enumerate(record["steps"]) if s["critical"]], f"{name}: critical path")
    choose(browser, "show", "all", "change")


def check_keyboard(browser, name, record):
    browser.evaluate("document.querySelector('tr.step').focus()")
    focused = "Number(document.activeElement.dataset.i)"
    browser.press("End")
    check(browser.evaluate(focused) == len(record["steps"]) - 1, f"{name}: End")
    browser.press("Enter")
    check(browser.evaluate("document.activeElement.ariaExpanded") == "true", f"{name}: Enter")
    browser.press("Escape")
    check(browser.evaluate("document.activeElement.ariaExpanded") == "false", f"{name}: Escape")
    browser.press("Home")
    check(browser.evaluate(focused) == 0, f"{name}: Home")
    stops = browser.evaluate("document.querySelectorAll('tr.step[tabindex=\"0\"]').length")
    check(stops == 1, f"{name}: {stops} rows in the tab order")


def check_hovering(browser, name):
    if not browser.evaluate("Boolean(document.querySelector('#lanes [data-i] .run'))"):
        return
    browser.hover("#lanes [data-i] .run")
    tip = browser.evaluate("document.getElementById('tip').innerText")
    check("ran " in tip, f"{name}: the tooltip is {tip!r}")


def check_foreign(browser, name):
    count = browser.evaluate("[document.scripts.length, document.images.length, document.links.length]")
    check(count == [2, 0, 0], f"{name}: scripts, images, links: {count}")


def main(directory):
    browser = Chromium()
    for page in sorted(pathlib.Path(directory).glob("*.html")):
        record = json.loads(page.with_suffix(".json").read_text())
        browser.open(page)
        check_foreign(browser, page.name)
        if record["steps"]:
            check_numbers(browser, page.name, record)
            check_sorting(browser, page.name, with_estimated_end(record))
            check_searching(browser, page.name, record)
            check_keyboard(browser, page.name, record)
            check_hovering(browser, page.name)
        check(not browser.complaints(), f"{page.name}: {browser.complaints()}")
        for width in (1400, 400):
            for dark in (False, True):
                browser.open(page, width=width, dark=dark)
                wide = browser.evaluate("document.documentElement.scrollWidth > innerWidth")
                check(not wide, f"{page.name}: wider than {width} pixels")
                check(not browser.complaints(), f"{page.name}: {browser.complaints()}")
                browser.screenshot(page.with_name(f"{page.stem}-{width}-{'dark' if dark else 'light'}.png"))
        print(f"{page.name}: {len(record['steps'])} steps: numbers, sorting, searching, keyboard, hovering")
    browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

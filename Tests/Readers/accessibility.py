"""Checks a page with axe-core in Chromium. The package axe-playwright-python has axe-core's script."""

import importlib.util
import json
import pathlib

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def script():
    """Returns axe-core's script; None if the package is not installed."""
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None or not package.submodule_search_locations:
        return None
    path = pathlib.Path(package.submodule_search_locations[0]) / "axe.min.js"
    return path.read_text() if path.exists() else None


def violations(browser, axe):
    """Returns the rules that the open page breaks, each with the elements."""
    # The page's policy allows no other script: the debugger's own evaluation is not subject to it.
    browser.evaluate(axe + "; true")
    options = json.dumps({"runOnly": RULES, "resultTypes": ["violations"]})
    found = browser.call("Runtime.evaluate", awaitPromise=True, returnByValue=True, expression=(
        f"axe.run(document, {options}).then(r => r.violations.map(v => "
        "[v.id, v.help, v.nodes.slice(0, 5).map(n => n.html.slice(0, 200))]))"))
    if "exceptionDetails" in found:
        raise SystemExit(f"error: axe-core: {found['exceptionDetails']}")
    return found["result"]["value"]

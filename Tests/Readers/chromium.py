"""Headless Chromium, controlled over a pipe (Chrome DevTools Protocol)."""

import base64
import fcntl
import json
import os
import shutil
import subprocess


class Chromium:
    def __init__(self):
        program = next((p for p in ("chromium", "chromium-browser", "google-chrome") if shutil.which(p)), None)
        if program is None:
            raise SystemExit("error: no Chromium is installed")
        commands, to_browser = os.pipe()
        from_browser, answers = os.pipe()

        def connect():
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (commands, answers)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.output, self.input = os.fdopen(to_browser, "wb"), os.fdopen(from_browser, "rb")
        self.count, self.events, self.session = 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def read(self):
        message = bytearray()
        while (byte := self.input.read(1)) != b"\0":
            if not byte:
                raise SystemExit("error: Chromium went away")
            message += byte
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        self.output.flush()
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise SystemExit(f"error: {method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1400, height=1000, dark=False, forced=False):
        self.events.clear()
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "forced-colors", "value": "active" if forced else "none"}]
        self.call("Emulation.setDeviceMetricsOverride",
                  width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=features)
        # A page with another fragment would not be loaded again.
        self.call("Page.navigate", url="about:blank")
        while not self.has_loaded():
            self.events.append(self.read())
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not self.has_loaded():
            self.events.append(self.read())

    def has_loaded(self):
        return any(event.get("method") == "Page.loadEventFired" for event in self.events)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"error: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Waits until the page has handled its timers and has been painted."""
        self.call("Runtime.evaluate", awaitPromise=True,
                  expression="new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 5))")

    def press(self, key):
        text = "\r" if key == "Enter" else key if len(key) == 1 else None
        more = {"text": text} if text else {}
        codes = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, "Tab": 9}
        code = codes.get(key) or ord(key.upper())
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def hover(self, selector):
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView(); "
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def print(self, path):
        """Writes the open page as PDF."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(image))

    def complaints(self):
        """Returns the console messages and network requests."""
        found = []
        for event in self.events:
            if event.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(event["params"])
            if event.get("method") == "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(url)
        return found

    def close(self):
        self.call("Browser.close")
        self.process.wait()

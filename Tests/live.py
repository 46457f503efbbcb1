#!/usr/bin/env python3
"""Tries the live view in a pseudo-terminal: its screens, its keys, its signals, and what it costs.

    Tests/live.py [APPBOOT] [--only WORD]

Each trial starts an app or a launch, and `appboot ui` in terminals of different sizes. The goals are those of
Docs/live.md: at most 1 % of a core for 20 services that print 100 lines a second each, and an answer to a key within
50 ms. They are checked with room for other programs of the machine: 3 % and 150 ms.
"""

import argparse
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

SEQUENCE = re.compile(r"\x1b\[(\??)([\d;]*)([A-Za-z])|([^\x1b])")


class View:
    """A tool in a terminal, and the screen that the terminal shows."""

    def __init__(self, columns, rows, *arguments, directory, terminal="xterm", locale="C.UTF-8", **variables):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.place = [0, 0]
        self.is_full, self.rest, self.raw = False, b"", ""
        environment = {**os.environ, "TERM": terminal, "LC_ALL": locale, **variables}
        environment.pop("APPBOOT_STATE", None)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            # A shell's job in the background ignores some of them, and so would the view.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
                signal.signal(number, signal.SIG_DFL)
            os.chdir(directory)
            os.execvpe(APPBOOT, [APPBOOT, *arguments], environment)
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds):
        """Reads what is drawn within a time. Returns false at the end of the tool."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.terminal], [], [], left)[0]:
                return True
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.draw(data)
        return True

    def draw(self, data):
        data = self.rest + data
        # A character or a sequence may be cut at the end.
        cut = max(len(data) - 12, 0)
        start = data.rfind(b"\x1b", cut)
        if start >= 0 and not re.search(rb"[A-Za-z]", data[start + 1:]):
            data, self.rest = data[:start], data[start:]
        else:
            self.rest = b""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                text, self.rest = data[:error.start].decode(), data[error.start:] + self.rest
            else:
                # A slow reader: the view dropped the rest of a picture, and draws the next one as a whole.
                text = data.decode(errors="replace")
        self.raw += text
        for match in SEQUENCE.finditer(text):
            private, numbers, kind, character = match.groups()
            if character:
                if character == "\r":
                    self.place[1] = 0
                elif character == "\n":
                    self.place[0] = min(self.rows - 1, self.place[0] + 1)
                elif self.place[0] < self.rows and self.place[1] < self.columns:
                    self.cells[self.place[0]][self.place[1]] = character
                    self.place[1] += 1
                elif self.is_full:
                    fail(f"a row is wider than {self.columns} columns: {self.text()}")
            elif private:
                if numbers == "1049":
                    self.is_full = kind == "h"
            elif kind == "H":
                row, column = ([int(n) for n in numbers.split(";")] if numbers else [1, 1])[:2]
                self.place = [row - 1, column - 1]
            elif kind == "J":
                self.cells = [[" "] * self.columns for _ in range(self.rows)]
            elif kind == "K" and self.place[0] < self.rows:
                row = self.cells[self.place[0]]
                row[self.place[1]:] = [" "] * (self.columns - self.place[1])

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def wait(self, *words, seconds=20, gone=()):
        """Waits until the screen has all words, and none of the others."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.text()
            if all(word in text for word in words) and not any(word in text for word in gone):
                return text
            if not self.read(0.05):
                break
        fail(f"the screen has not {words}, or still {gone}:\n{self.text()}")

    def settings(self):
        return termios.tcgetattr(self.terminal)[3] & (termios.ICANON | termios.ECHO)

    def end(self, seconds=10):
        """Waits for the end, and returns its status as a shell reports it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.process, os.WNOHANG)
            if pid:
                self.read(0.1)
                return os.waitstatus_to_exitcode(status)
        fail(f"the view does not end:\n{self.text()}")

    def expect_restored(self):
        if self.is_full or not self.raw.rstrip().endswith(("l", "h")) and "\x1b[?25h" not in self.raw:
            fail("the normal screen was not restored")
        if not self.settings():
            fail("the settings of the terminal were not restored")


def fail(message):
    sys.exit(f"live: {message[:6000]}")


class App:
    """A launch in a directory of its own, without a terminal."""

    running = []

    def __init__(self, commands, *arguments, ready="booted", **members):
        self.folder = tempfile.TemporaryDirectory(prefix="live-")
        self.path = pathlib.Path(self.folder.name)
        manifest = {"version": 1, "name": "Trial", **members, "commands": commands}
        (self.path / "commands.json").write_text(json.dumps(manifest))
        self.log = open(self.path / "out", "w+", encoding="utf-8")
        self.process = None
        if ready is not None:
            self.process = subprocess.Popen(
                [APPBOOT, "run", *arguments], cwd=self.path, stdout=self.log, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True)
            App.running.append(self.process)
            self.wait(ready)

    def wait(self, word, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # Without a word, until the launch can be looked at.
            if word in (self.path / "out").read_text() if word else self.is_running():
                return
            time.sleep(0.05)
        fail(f"the launch has not printed {word!r}:\n{(self.path / 'out').read_text()}")

    def is_running(self):
        status = subprocess.run([APPBOOT, "status"], cwd=self.path, capture_output=True, check=False)
        return status.returncode == 0

    def view(self, columns, rows, *arguments, **options):
        return View(columns, rows, *(arguments or ("ui",)), directory=self.path, **options)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                fail("the app does not end")
        self.log.close()
        self.folder.cleanup()


def service(name, shell, **members):
    return {"command": "RunService", "id": name, "with": {"arguments": ["sh", "-c", shell], **members}}


IDLE = "echo ready; while :; do sleep 1; done"


def trial_launch():
    """A launch of 40 steps in three sizes, its failure, and the screen after it."""
    steps = [{"id": f"step-{n}", "run": "sleep 0.25; echo done"} for n in range(40)]
    steps[30] = {"id": "step-30", "run": "echo cannot find the table; exit 3"}
    app = App(steps, ready="")
    views = [app.view(columns, rows) for columns, rows in [(60, 20), (80, 24), (200, 50)]]
    for view in views:
        view.wait("Trial", "launching", "/40 steps", "step-", "log of step-")
    for view in views:
        view.wait("step-30: ", "did not boot", seconds=30)
        view.type("e")
        view.wait("why step-30 started", "any key closes this")
        view.type("xq")
        if view.end() != 0:
            fail("q has another exit code than 0")
        view.expect_restored()
    app.stop()


def trial_hang():
    """A step that hangs shows its time, its last line of output, and what waits for it."""
    app = App([
        {"id": "hangs", "run": "echo waiting for a lock; sleep 600"}, {"id": "after", "run": "true"}], ready="")
    view = app.view(80, 24)
    view.wait("hangs", "waiting for a lock", "waiting for hangs")
    view.type("je")
    view.wait("after is waiting for hangs")
    app.process.send_signal(signal.SIGKILL)
    view.type("x")
    view.wait("crashed or was killed")
    view.type("q")
    view.end()
    view.expect_restored()
    app.stop()


def trial_services():
    """20 services, one of which crashes in a loop: states, requests, two viewers, and the end while they look."""
    services = [service(f"svc-{n}", IDLE) for n in range(19)]
    services.append(service(
        "crashes", "echo up; sleep 0.5; echo fatal: out of luck; exit 7", restart={"when": "always", "attempts": 1000, "backoff": "1s"}))
    app = App(services)
    first, second = app.view(80, 24), app.view(200, 50, locale="C")
    for view in (first, second):
        view.wait("crashes", "restart")
    second.read(3)
    if any(ord(character) > 126 for character in second.text()):
        fail(f"the screen is not ASCII:\n{second.text()}")
    second.wait("out of luck", "log of crashes")
    first.type("g")
    first.wait("log of svc-0")
    first.type("r")
    first.wait("restart svc-0?")
    first.type("n")
    first.wait("q quit", gone=["restart svc-0?"])
    first.type("ry")
    first.wait("restart svc-0: done", seconds=30)
    first.type("jsy")
    first.wait("stop svc-1: done", seconds=30)
    second.wait("stopped")
    first.type("jKterm\r")
    first.wait("kill svc-2: done", seconds=30)
    first.type("?")
    first.wait("stops nothing without asking")
    first.type("x")
    app.process.terminate()
    for view in (first, second):
        view.wait("ended; ", seconds=30)
        view.type("q")
        view.end()
        view.expect_restored()
    app.stop()


def trial_flood():
    """A flood of output slows neither the program nor the keys, and scrolling keeps its place in a resize."""
    app = App([
        service("flood", "i=0; while :; do i=$((i+1)); echo line $i of the flood; done"), service("quiet", IDLE)])
    view = app.view(80, 24)
    view.wait("log of", "of the flood")
    before = int(re.findall(r"line (\d+) of", view.text())[-1])
    view.read(2)
    after = int(re.findall(r"line (\d+) of", view.text())[-1])
    if after - before < 1000:
        fail(f"the flood printed only {after - before} lines in two seconds")
    view.type("g\x1b[5~")
    view.wait("f follows")
    place = re.findall(r"line (\d+) of the flood", view.text())[-1]
    for columns, rows in [(60, 20), (200, 50), (70, 10), (80, 24)]:
        view.resize(columns, rows)
        view.read(0.3)
        view.wait(f"line {place} of the flood")
    view.type("/flood\r")
    view.wait("/flood")
    view.type("q")
    view.end()
    view.expect_restored()
    app.stop()


def trial_search():
    """A text at the beginning of a long log is found, and a text that is not there is said to be missing."""
    lines = "echo the very first; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); echo line $i of a long log; done; "
    app = App([service("long", lines + IDLE)])
    view = app.view(80, 24)
    view.wait("log of long", "line 50000")
    view.type("/very first\r")
    view.wait("\nthe very first\n", "line 1 of", gone=["searching"])
    view.type("f/nowhere\r")
    view.wait('no older line with "nowhere"')
    view.type("/line 41000 \r")
    view.wait("\nline 41000 of")
    view.type("q")
    view.end()
    app.stop()


def trial_page():
    """The page is opened with the program of the desktop, and named for a machine without one."""
    app = App([service("web", IDLE)])
    programs = app.path / "bin"
    programs.mkdir()
    (programs / "xdg-open").write_text('#!/bin/sh\necho "$1" > opened\n')
    (programs / "xdg-open").chmod(0o755)
    view = app.view(120, 24, PATH=f"{programs}:{os.environ['PATH']}")
    view.wait("web", "ready")
    view.type("o")
    page = pathlib.Path(re.findall(r"the page is (/\S+)", view.wait("the page is /"))[0])
    if "<html" not in page.read_text():
        fail(f"{page} is no page")
    # As root, only the programs of the system are used.
    is_root = os.geteuid() == 0
    deadline = time.monotonic() + 10
    opened = app.path / "opened"
    while not is_root and not (opened.exists() and opened.read_text() == f"{page}\n"):
        if time.monotonic() > deadline:
            fail("the page was not opened")
        view.read(0.05)
    view.type("q")
    view.end()
    if not is_root:
        view = app.view(120, 24, PATH="/nowhere")
        view.wait("web", "ready")
        view.type("o")
        view.wait('"xdg-open" cannot be started')
        view.type("q")
        view.end()
    app.stop()


def trial_events():
    """An event is in the title while its handlers run, and their failure is in view."""
    handler = {"id": "handle", "run": "while [ ! -e go ]; do sleep 0.05; done; exit 3"}
    app = App([service("web", IDLE)], on={"openURL": [handler]})
    view = app.view(80, 24)
    view.wait("web", "ready")
    emit = subprocess.Popen(
        [APPBOOT, "emit", "openURL", "--url", "a:b"], cwd=app.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    view.wait("handles openURL for")
    (app.path / "go").touch()
    view.wait("the handlers of openURL failed at handle", gone=["handles openURL"])
    emit.wait(10)
    view.type("q")
    view.end()
    app.stop()


def trial_signals():
    """TERM, HUP, INT, TSTP and a terminal that vanishes."""
    app = App([service("web", IDLE)])
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        view = app.view(80, 24)
        view.wait("web", "ready")
        os.kill(view.process, number)
        if view.end() != -number:
            fail(f"{number!r} has another end")
        view.expect_restored()
    view = app.view(80, 24)
    view.wait("web", "ready")
    # No shell could resume the first process of a session.
    view.type("\x1a?")
    view.wait("any key closes this")
    view.type("x")
    os.kill(view.process, signal.SIGTSTP)
    deadline = time.monotonic() + 10
    while True:
        view.read(0.05)
        pid, status = os.waitpid(view.process, os.WNOHANG | os.WUNTRACED)
        if pid and os.WIFSTOPPED(status):
            break
        if time.monotonic() > deadline:
            fail("TSTP does not stop the view")
    if view.is_full or not view.settings():
        fail("the terminal was not restored before the stop")
    os.kill(view.process, signal.SIGCONT)
    deadline = time.monotonic() + 10
    while not view.is_full and time.monotonic() < deadline:
        view.read(0.05)
    if not view.is_full or view.settings():
        fail("the view did not come back after the CONT")
    os.close(view.terminal)
    deadline = time.monotonic() + 10
    while os.waitpid(view.process, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            fail("the view outlives its terminal")
        time.sleep(0.05)
    if app.process.poll() is not None:
        fail("the app ended with its viewer")
    app.stop()


def trial_run():
    """`run --ui` asks whether to stop what it started, and ends with the exit code of the launch."""
    app = App([service("web", IDLE)], ready=None)
    view = app.view(80, 24, "run", "--ui")
    view.wait("web", "ready")
    view.type("q")
    view.wait("stop it too?")
    view.type("n")
    if view.end() != 0:
        fail("leaving has another exit code than 0")
    view.expect_restored()
    view = app.view(80, 24)
    view.wait("web", "ready")
    view.type("q")
    view.end()
    down = subprocess.run([APPBOOT, "down"], cwd=app.path, capture_output=True, text=True, timeout=30, check=False)
    if down.returncode != 0:
        fail(f"down failed: {down.stderr}")
    view = app.view(80, 24, "run", "--ui")
    view.wait("web", "ready")
    view.type("qy")
    if view.end(30) != 0:
        fail(f"stopping has another exit code than 0: {view.raw[-300:]}")
    app.stop()
    app = App([{"id": "bad", "run": "exit 4"}], ready=None)
    view = app.view(80, 24, "run", "--ui")
    view.read(2)
    view.type("q")
    if view.end() != 1:
        fail("a launch that failed has another exit code than 1")
    app.stop()
    view = View(80, 24, "ui", directory="/", terminal="dumb")
    if view.end() != 2 or "status --watch" not in view.raw:
        fail(f"a dumb terminal is not refused: {view.raw}")


def trial_cost():
    """20 services that print 100 lines a second each: the CPU time of the view, and the time to answer a key."""
    shell = "while :; do for i in 0 1 2 3 4 5 6 7 8 9; do echo this is a line of output number $i; done; sleep 0.1; done"
    app = App([service(f"svc-{n}", shell) for n in range(20)])
    view = app.view(80, 24)
    view.wait("svc-0", "ready", "number 9")
    view.read(3)

    def used():
        fields = pathlib.Path(f"/proc/{view.process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    begin, cpu = time.monotonic(), used()
    view.read(10)
    share = 100 * (used() - cpu) / (time.monotonic() - begin)
    delays = []
    for number in range(20):
        key = "j" if number % 2 == 0 else "k"
        sent = time.monotonic()
        wanted = "log of svc-1 " if key == "j" else "log of svc-0 "
        view.type(key)
        while wanted not in view.text():
            if time.monotonic() - sent > 5:
                fail(f"no answer to a key:\n{view.text()}")
            view.read(0.001)
        delays.append(time.monotonic() - sent)
    view.type("q")
    view.end()
    app.stop()
    middle = 1000 * sorted(delays)[len(delays) // 2]
    print(f"{share:.1f} % of a core, a key is answered within {middle:.0f} ms (median), {1000 * max(delays):.0f} ms (most)")
    if share > 3 or middle > 150:
        fail("the view costs too much")


def main():
    global APPBOOT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--only", metavar="WORD", help="the trials whose name has this word")
    options = parser.parse_args()
    APPBOOT = os.path.abspath(options.appboot)
    trials = {name[6:]: trial for name, trial in globals().items() if name.startswith("trial_")}
    for name, trial in trials.items():
        if options.only and options.only not in name:
            continue
        begin = time.monotonic()
        try:
            trial()
        finally:
            for process in App.running:
                if process.poll() is None:
                    process.kill()
        print(f"{name}: {time.monotonic() - begin:.1f} s")
    print("the live view passed its trials")


if __name__ == "__main__":
    main()

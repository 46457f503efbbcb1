#!/usr/bin/env python3
"""Sends many events to an app that stays, and measures its growth.

    Tests/stay-growth.py [APPBOOT] [--events 30000]

Most events are `openURL`, whose handler shows a screen. Some connect a scene, open a URL in it and disconnect it. It
compares the first and the last tenth of the events:

- the resident memory: it grows by at most 50 bytes for each event,
- the bytes that the app writes: at most a tenth more.

It also compares the least CPU time of a tenth among the first three and the last three: at most half as much again. Other
processes make a tenth slower, and none faster.

It needs Linux.
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

MANIFEST = {
    "version": 1,
    "name": "Growth",
    "commands": [{"command": "InitialScreen", "with": {"default": "Home"}}],
    "on": {
        "openURL": [{"command": "InitialScreen", "with": {
            "default": "Home", "routes": [{"url": "notes://note/{id}", "screen": "Note"}],
            "screens": {"Home": {"title": "Home"}, "Note": {"title": "Note {id}"}}}}],
        "sceneWillConnect": [{"command": "InitialScreen", "with": {"default": "Scene"}}],
    },
}
MEGABYTE = 1 << 20


def ask(path, request):
    """Sends a request to the app, and returns the answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(json.dumps({"version": 1, **request}).encode() + b"\n")
        answer = b""
        while chunk := connection.recv(1 << 16):
            answer += chunk
    return json.loads(answer)


def emit(path, number):
    """Sends the event with a number: one of a scene's life if it ends in 97 to 99."""
    request = {"request": "emit", "event": "openURL", "url": f"notes://note/{number}"}
    if number % 100 >= 97:
        request["scene"] = f"scene {number // 100}"
        if number % 100 == 97:
            request.update(event="sceneWillConnect")
        if number % 100 == 99:
            request.update(event="sceneDidDisconnect")
        if request["event"] != "openURL":
            del request["url"]
    answer = ask(path, request)
    if not answer.get("outcome", {}).get("succeeded"):
        sys.exit(f"stay-growth: the event {number} failed: {answer}")


class Usage:
    """What a process has used so far."""

    def __init__(self, process):
        place = pathlib.Path(f"/proc/{process}")
        fields = (place / "stat").read_text().rsplit(")", 1)[1].split()
        self.seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.memory = int((place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        io = dict(line.split(": ") for line in (place / "io").read_text().splitlines())
        self.written = int(io["wchar"])


def measure(process, path, events):
    """Sends the events, and returns the usage after each tenth."""
    usages = [Usage(process)]
    for tenth in range(10):
        for number in range(tenth * events // 10, (tenth + 1) * events // 10):
            emit(path, number)
        usages.append(Usage(process))
    return usages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--events", type=int, default=30_000)
    options = parser.parse_args()
    appboot = os.path.abspath(options.appboot)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "commands.json").write_text(json.dumps(MANIFEST))
        tool = subprocess.Popen(
            [appboot, "run", "--stay", "--quiet"], cwd=folder, stdout=subprocess.DEVNULL)
        try:
            path = os.path.join(folder, ".appboot", "control.sock")
            end = time.monotonic() + 20
            while not os.path.exists(path) and time.monotonic() < end:
                time.sleep(0.01)
            process = ask(path, {"request": "status"})["status"]["process"]
            usages = measure(process, path, options.events)
        finally:
            tool.send_signal(signal.SIGTERM)
            code = tool.wait()
    first, last = (usages[0], usages[1]), (usages[9], usages[10])
    grown = (usages[10].memory - usages[1].memory) / MEGABYTE
    written = [after.written - before.written for before, after in (first, last)]
    tenths = [after.seconds - before.seconds for before, after in zip(usages, usages[1:])]
    seconds = [min(tenths[:3]), min(tenths[-3:])]
    print(f"memory {usages[1].memory / MEGABYTE:.1f} MB, then {usages[10].memory / MEGABYTE:.1f} MB; "
          f"written by a tenth {written[0] / MEGABYTE:.1f} MB, then {written[1] / MEGABYTE:.1f} MB; "
          f"least CPU time of a tenth {seconds[0]:.2f} s, then {seconds[1]:.2f} s")
    problems = []
    if code != 0:
        problems.append(f"the app exited with {code}")
    if grown * MEGABYTE > 50 * options.events:
        problems.append(f"memory grows by {grown:.1f} MB")
    if written[1] > 1.1 * written[0]:
        problems.append("the last events write more than the first ones")
    if seconds[1] > 1.5 * seconds[0] + 0.1:
        problems.append("the last events take more CPU time than the first ones")
    for problem in problems:
        print(f"stay-growth: {problem}")
    sys.exit(1 if problems else 0)


main()

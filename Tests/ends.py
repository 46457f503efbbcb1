#!/usr/bin/env python3
"""Measures how fast services end and become ready while other processes run, and repeats races at their end.

    Tests/ends.py [APPBOOT] [--only PART ...] [--runs 200] [--jobs 4]

- `orphans`: while 20 services run and two programs leave orphans all the time, each timeout of a step fires in time,
  and a second SIGINT ends the launch at once.
- `crowd`: 50 services stop as fast next to 3,000 other processes as without them.
- `ready`: the next step starts soon after a port, a socket or a server is there.
- `races`: a service that ends as soon as it is ready has the same result in each run.

A table has each figure with its goal and the limit that fails. A limit is two or three times the goal, and a figure
above it is measured again up to twice, because other work on the machine can only make it worse. It needs Linux.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import datetime
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import time

from launches import Failure, Launch, expect, expect_equal

PYTHON = [sys.executable, "-S", "-E"]

# Repeatedly leaves a process in a session of its own.
ORPHANS = """
import os, time
print("up", flush=True)
while True:
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            os.setsid()
            time.sleep(0.02)
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(0.002)
"""

# Starts processes that do nothing, until its standard input ends.
CROWD = """
import os, sys
read, write = os.pipe()
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.close(write)
        os.read(read, 1)
        os._exit(0)
print("up", flush=True)
sys.stdin.read()
os.close(write)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
"""

# Listens after a while, writes the time of that to a file, and answers each connection.
SERVER = """
import os, socket, sys, time
family, address, wait = sys.argv[1], sys.argv[2], float(sys.argv[3])
server = socket.socket(socket.AF_UNIX if family == "unix" else socket.AF_INET)
if family != "unix":
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", int(address)))
file = os.open("opened", os.O_CREAT | os.O_WRONLY)
time.sleep(wait)
now = time.time_ns()
if family == "unix":
    server.bind(address)
server.listen(64)
os.write(file, str(now).encode())
while True:
    connection, _ = server.accept()
    if family == "http":
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
    connection.close()
"""


def service(name, *arguments, **parameters):
    return {"command": "RunService", "id": name, "after": [], "with": {"arguments": list(arguments), **parameters}}


def time_of_start(record):
    """Returns the start of a launch in milliseconds since 1970. The record has whole milliseconds, so half of one is
    missing on average."""
    return datetime.datetime.fromisoformat(record["startedAt"].replace("Z", "+00:00")).timestamp() * 1e3 + 0.5


class Figure:
    """A measured figure with its goal and the limit that fails."""

    def __init__(self, work, goal, limit, unit):
        self.work, self.goal, self.limit, self.unit = work, goal, limit, unit
        self.value = None

    def keep(self, value):
        """Keeps the smallest value: other work on the machine can only increase it."""
        self.value = value if self.value is None else min(self.value, value)

    @property
    def is_above(self):
        return self.value is None or self.value > self.limit

    def row(self):
        value = "none" if self.value is None else f"{self.value:.4g}"
        verdict = "FAILED" if self.is_above else ""
        return f"{self.work:62} {value:>7} {self.goal:>6} {self.limit:>6} {self.unit:2} {verdict}".rstrip()


def measure(figures, trial):
    """Measures until no figure is above its limit, at most three times."""
    for _ in range(3):
        for figure, value in zip(figures, trial()):
            figure.keep(value)
        if not any(figure.is_above for figure in figures):
            break
    return figures


# Orphans


def measure_orphans(appboot):
    return measure(
        [Figure("20 services, orphans: the latest stop signal of a timeout", 50, 100, "ms"),
         Figure("20 services, orphans: the latest end of a step that timed out", 50, 100, "ms"),
         Figure("20 services, orphans: from the second SIGINT to the end", 150, 300, "ms")],
        lambda: orphans(appboot))


def orphans(appboot):
    """Returns three times in milliseconds: the longest delay of a stop signal after its timeout, the longest delay of a
    step's end, and the time from the second SIGINT to the end."""
    leaving = [service(f"leaving{number}", *PYTHON, "orphans.py", ready={"output": "^up$"}) for number in range(2)]
    staying = [service(f"staying{number}", "sleep", "600") for number in range(9)]
    # Each of their ends starts a search for the processes that they left.
    ending = [service(f"ending{number}", "sleep", "0.5", restart={"when": "always", "backoff": "1ms", "attempts": 100_000})
              for number in range(10)]
    stubborn = service("stubborn", "sh", "-c", "trap '' TERM INT; echo up; exec sleep 600",
                       ready={"output": "^up$"}, stop={"grace": "10m"})
    script = "trap ': >stopped$APPBOOT_STEP; exit 1' TERM; sleep 600 & wait"
    hanging = [{"command": "RunProcess", "id": f"hanging{number}", "after": ["leaving0", "leaving1", "stubborn"],
                "timeout": f"{1000 + 100 * number}ms", "onFailure": "continue", "with": {"arguments": ["sh", "-c", script]}}
               for number in range(10)]
    commands = [*leaving, *staying, *ending, stubborn, *hanging]
    with Launch(appboot, commands, {"orphans.py": ORPHANS}) as launch:
        call = launch.start("run", "--jobs", "16", "--record", "record.json")
        call.wait_for_boot()
        call.wait_until(lambda: launch.exists("record.json"), "the record was written")
        record = json.loads(launch.read("record.json"))
        late_signals, late_ends = [], []
        for step in record["steps"][-len(hanging):]:
            expect_equal(step["state"], "timedOut", f"the state of {step['id']}")
            due = time_of_start(record) + (step["start"] + step["timeout"]) / 1e6
            late_ends.append((step["running"] - step["timeout"]) / 1e6)
            # On a busy machine a shell may be stopped before it has set its trap.
            if launch.exists(f"stopped{step['id']}"):
                late_signals.append((launch.folder / f"stopped{step['id']}").stat().st_mtime_ns / 1e6 - due)
        expect(len(late_signals) > len(hanging) / 2, "most programs note the time of their stop signal")
        call.send(signal.SIGINT)
        call.wait_for_text("stopping stubborn")
        begin = time.monotonic()
        call.send(signal.SIGINT)
        call.end(-signal.SIGINT)
        seconds = time.monotonic() - begin
        launch.expect_nothing_left()
        return max(late_signals), max(late_ends), seconds * 1000


# A crowd


class NoCrowd(Exception):
    """A limit of the system forbids the processes."""


@contextlib.contextmanager
def crowd(count):
    """Starts processes that belong to no launch."""
    process = subprocess.Popen([*PYTHON, "-c", CROWD, str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        try:
            if process.stdout.readline() != b"up\n":
                raise NoCrowd
            yield
        finally:
            process.stdin.close()


def measure_crowd(appboot, rounds=5, count=3000):
    figure = Figure(f"50 services stop next to {count} processes ÷ without them", 1.2, 2.4, "")

    def trial():
        alone, crowded = [], []
        for _ in range(rounds):
            alone.append(time_to_stop(appboot))
            with crowd(count):
                crowded.append(time_to_stop(appboot))
        times = [statistics.median(times) * 1000 for times in (alone, crowded)]
        print(f"50 services stop in {times[0]:.0f} ms, and in {times[1]:.0f} ms next to {count} processes", flush=True)
        return [times[1] / times[0]]

    return measure([figure], trial)


def time_to_stop(appboot):
    """Returns the seconds from TERM to the end of a launch with 50 services."""
    with Launch(appboot, [service(f"service{number}", "sleep", "600") for number in range(50)]) as launch:
        call = launch.start("run", "--quiet")
        call.wait_until(lambda: launch.exists(".appboot/control.sock"), "the socket was there")
        call.wait_until(lambda: launch.start("status", "--ready").process.wait(60) == 0, "the services were ready")
        begin = time.monotonic()
        call.terminate()
        seconds = time.monotonic() - begin
        launch.expect_nothing_left()
        return seconds


# Readiness


def measure_ready(appboot, rounds=20):
    figures = []
    for kind in ("tcp", "http", "unix"):
        figure = Figure(f"from the open {kind} socket to the start of the next step", 3, 9, "ms")
        figures += measure([figure], lambda: [statistics.median(
            time_to_next(appboot, kind, 0.05 + 0.2 * number / rounds) for number in range(rounds))])
    return figures


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def time_to_next(appboot, kind, wait):
    """Returns the milliseconds from the moment at which a service listens to the start of the step after it."""
    address = "server.sock" if kind == "unix" else str(free_port())
    ready = {"tcp": {"tcp": f"127.0.0.1:{address}"}, "http": {"http": f"http://127.0.0.1:{address}/"},
             "unix": {"unix": address}}[kind]
    server = service("server", *PYTHON, "server.py", kind, address, str(wait), ready=ready)
    with Launch(appboot, [server, {"id": "next", "run": ":"}], {"server.py": SERVER}) as launch:
        launch.call("run", "--then-stop", "--record", "record.json")
        record = json.loads(launch.read("record.json"))
        next_step = next(step for step in record["steps"] if step["id"] == "next")
        return time_of_start(record) + next_step["start"] / 1e6 - int(launch.read("opened")) / 1e6


# Races

STARTED, PRINTED, EXISTS = "✓ web TIME started", '✓ web TIME it printed "ready"', '✓ web TIME "ready" exists'
ENDED = "appboot: warning: web exited with code 0; stopping"
RACES = {
    "a service without ready ends at once": (["sh", "-c", "true"], {}, [STARTED]),
    "a service ends at once after its ready line": (["sh", "-c", "echo ready"], {"ready": {"output": "^ready$"}}, [PRINTED]),
    "a service ends at once after its file": (["sh", "-c", ": >ready"], {"ready": {"file": "ready"}}, [EXISTS]),
    "a service prints a line after its ready line, and ends": (
        ["sh", "-c", "echo ready; echo after"], {"ready": {"output": "^ready$"}}, [PRINTED, "web | after"]),
}


def run_races(appboot, runs, jobs):
    failures = []
    for name, (arguments, parameters, lines) in RACES.items():
        entry = service("web", *arguments, onExit="finish", **parameters)
        expected = (0, *sorted([*lines, "Trial booted in TIME: 1 step", ENDED]))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = collections.Counter(pool.map(lambda _: race(appboot, entry), range(runs)))
        others = {result: count for result, count in results.items() if result != expected}
        print(f"{name}: {runs} runs, {results[expected]} with the expected result", flush=True)
        failures += [f"{name}: {count} of {runs} runs have {result}, not {expected}" for result, count in others.items()]
    return failures


def race(appboot, entry):
    """Returns the exit code and the sorted lines of a launch, without its times."""
    with Launch(appboot, [entry]) as launch:
        call = launch.start("run")
        code = call.process.wait(60)
        for reader in call.readers:
            reader.join()
        launch.expect_nothing_left()
        lines = (re.sub(r"\d+(\.\d+)? (ns|µs|ms|s)\b", "TIME", line) for line in (call.output + call.errors).splitlines())
        return (code, *sorted(re.sub(r"  +", " ", line) for line in lines if line))


PARTS = {"orphans": measure_orphans, "crowd": measure_crowd, "ready": measure_ready}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--only", nargs="+", default=[], choices=[*PARTS, "races"])
    parser.add_argument("--runs", type=int, default=200, help="the runs of each race")
    parser.add_argument("--jobs", type=int, default=4, help="the runs of a race at the same time")
    options = parser.parse_args()
    appboot = os.path.abspath(options.appboot)
    # The tool leaves a signal ignored that its parent ignores.
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    failures, figures = [], []
    for name, part in PARTS.items():
        if not options.only or name in options.only:
            try:
                figures += part(appboot)
            except Failure as failure:
                failures.append(f"{name}: {failure}")
            except NoCrowd:
                print("note: skipped the crowd: a limit of this system forbids its processes", flush=True)
    if not options.only or "races" in options.only:
        failures += run_races(appboot, options.runs, options.jobs)
    print(f"{'figure':62} {'value':>7} {'goal':>6} {'limit':>6}")
    for figure in figures:
        print(figure.row())
    failures += [f"{figure.work}: {figure.value:.4g}" for figure in figures if figure.is_above]
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(figures)} figures, {len(failures)} failures in {time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes each system call of a launch fail once, and looks at what the launch then says and leaves.

    Tests/fault-matrix.py [APPBOOT] [--most 40] [--call NAME] [--jobs N] [--verbose]

A trial boots two processes, one that leaves a third running, and a service, and stops. One call fails: the first,
the second, and so on, until the launch makes no further call of that kind or `--most` is reached. Then:

- it ends within 20 s, and not by a signal,
- an interrupted call (EINTR) changes nothing: exit code 0,
- with exit code 0 every step has run, and the launch has a record, or the output names the error,
- with another exit code the output names the error,
- no process is left.

Faults also last: from the first, the second, the fourth call of a kind on, all of them fail. And two calls fail: each
call, and then the next one of another kind, because that may be a part of the answer to the first. The same rules hold.

A second kind of trial keeps an app running (`--stay`), asks for its status, sends it an event and ends it. A call fails
either from the start on, or once the app is up, or from the start on after an earlier app was killed. Then the client ends too, an interrupted call changes nothing, and an
event that was confirmed has been handled.

Then each write to the journal takes a second, as on a slow disk: the launch times out after half a second, and TERM
ends a launch without a timeout. The same holds for each write to the log of a process that prints without end. In an
app that stays, each write to the journal takes three seconds: an event handler times out in time, and TERM ends the app
within 10 s, with a complete journal.

Some calls are missing. Without memory (`malloc`), the Swift runtime ends the process. These launches make no call of
`openat` and `fsync`, and none of `ftruncate`, which a journal above its limit needs.

It needs a C compiler (`cc` or `clang`) and Linux.
"""

import argparse
import concurrent.futures
import errno
import functools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from launches import processes

MANIFEST = {
    "version": 1,
    "name": "Faults",
    "commands": [
        {"command": "RunProcess", "id": "one", "after": [],
         "with": {"arguments": ["sh", "-c", "echo one; echo err >&2; touch one"]}},
        {"command": "RunProcess", "id": "two", "after": [],
         "with": {"arguments": ["sh", "-c", "sleep 0.02 & echo two; touch two"]}},
        {"command": "RunService", "id": "serve", "after": ["one", "two"],
         "with": {"arguments": ["sh", "-c", "echo ready; exec sleep 60"], "ready": {"output": "^ready$"}}},
        {"command": "RunProcess", "id": "three", "after": ["serve"],
         "with": {"arguments": ["sh", "-c", "touch three"]}},
    ],
}
FULL = ["EMFILE", "ENOMEM", "EAGAIN"]
CALLS = {
    "pipe2": ["EMFILE"], "epoll_create1": ["EMFILE"], "eventfd": ["EMFILE"],
    "open": ["EMFILE", "ENOMEM", "EINTR"], "opendir": ["EMFILE", "ENOMEM"],
    "posix_spawn": FULL, "pthread_create": ["EAGAIN"], "epoll_ctl": ["ENOMEM"],
    "fcntl": ["EINTR"], "poll": ["EINTR", "ENOMEM"], "epoll_wait": ["EINTR"],
    "waitid": ["EINTR"], "waitpid": ["EINTR"], "read": ["EINTR"], "write": ["EINTR"], "flock": ["EINTR"],
    "mkdir": ["ENOMEM"], "rename": ["ENOMEM"], "write_file": ["ENOSPC"],
}
# The calls that fail after another one has failed.
THEN = [("open", "EMFILE"), ("write_file", "ENOSPC"), ("pthread_create", "EAGAIN"), ("posix_spawn", "ENOMEM")]
STAYING = {
    "version": 1,
    "name": "Faults",
    "commands": [
        {"command": "RunProcess", "id": "one", "with": {"arguments": ["sh", "-c", "echo one; touch one"]}},
        {"command": "RunService", "id": "serve",
         "with": {"arguments": ["sh", "-c", "echo ready; exec sleep 60"], "ready": {"output": "^ready$"}}},
    ],
    "on": {"openURL": [
        {"command": "RunProcess", "id": "open", "with": {"arguments": ["sh", "-c", "echo open; touch opened"]}}]},
}
# The calls of an app that stays, from the start on.
STAYING_CALLS = {
    "socket": ["EMFILE", "ENOMEM"], "bind": ["ENOMEM"], "listen": ["EADDRINUSE"], "epoll_create1": ["EMFILE"],
    "eventfd": ["EMFILE"], "epoll_ctl": ["ENOMEM"], "pthread_create": ["EAGAIN"], "flock": ["EINTR"],
    "open": ["EMFILE", "EINTR"], "posix_spawn": ["EAGAIN"], "pipe2": ["EMFILE"],
    "unlink": ["EIO"],
}
# The calls of an app whose predecessor was killed: it left a journal and a socket.
CRASHED_CALLS = {
    "connect": ["ENOMEM"], "unlink": ["EIO"], "open": ["EMFILE", "EINTR"], "rename": ["ENOSPC"],
    "write_file": ["ENOSPC"], "bind": ["ENOMEM"],
}
# The calls of an app that is up.
LATER_CALLS = {
    "accept4": ["EMFILE", "EINTR", "ECONNABORTED", "ENOMEM"], "recv": ["EINTR"], "send": ["EINTR"], "read": ["EINTR"],
    "write": ["EINTR"], "epoll_wait": ["EINTR"], "poll": ["EINTR"], "epoll_ctl": ["ENOMEM"], "pipe2": ["EMFILE"],
    "posix_spawn": FULL, "open": ["EMFILE", "EINTR"], "waitid": ["EINTR"], "write_file": ["ENOSPC"],
    "rename": ["ENOSPC"], "pthread_create": ["EAGAIN"],
}
# Faults that break a rule, each with its reason. A trial that breaks none is no failure.
NO_THREAD = "without a thread for an event, TERM waits its 10 s and ends the app, and no message says why"
KNOWN = {
    ("app", "pthread_create and all later ones EAGAIN"): NO_THREAD,
    ("app that is up", "pthread_create and all later ones EAGAIN"): NO_THREAD,
    ("app that is up", "accept4 and all later ones EMFILE"):
        "an app that can accept no connection prints no warning, and its clients time out",
}
# Errors that a caller tries again.
TRANSIENT = ("EINTR", "ECONNABORTED")


def build_shim(folder):
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        print("fault-matrix: skipped: it needs a C compiler")
        sys.exit(0)
    library = os.path.join(folder, "shim.so")
    source = pathlib.Path(__file__).with_name("fault-shim.c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-w", str(source), "-o", library, "-ldl"], check=True)
    return library


class Fault:
    """A call that fails once or, if it lasts, from then on; and a call that fails after it, or None."""

    def __init__(self, call, name, lasts=False, then=None):
        self.call, self.name, self.lasts, self.then = call, name, lasts, then

    @property
    def label(self):
        then = f", then {' '.join(self.then)}" if self.then else ""
        return f"{self.call}{' and all later ones' if self.lasts else ''} {self.name}{then}"

    @property
    def words(self):
        """The texts of the errors."""
        names = [self.name] + ([self.then[1]] if self.then else [])
        return [os.strerror(getattr(errno, name)).lower() for name in names]

    @property
    def is_transient(self):
        return self.name in TRANSIENT and not self.then

    def numbers(self, most):
        """The numbers of the call that fails."""
        if not self.lasts and not self.then:
            return range(1, most + 1)
        return [2 ** power for power in range(10) if 2 ** power <= most]

    def environment(self, number, mark):
        fault = f"{self.call} {number}{'+' if self.lasts else ''} {getattr(errno, self.name)}"
        then = {"FAULT_THEN": f"{self.then[0]} {getattr(errno, self.then[1])}"} if self.then else {}
        return {"FAULT": fault, "FAULT_MARK": mark, **then}


def run(appboot, shim, folder, fault, number):
    """Boots with a fault. Returns (was the call made, problem or None, exit code, output)."""
    trial = f"FAULT_TRIAL={fault.label}-{number}-{os.getpid()}".replace(" ", "-")
    work = os.path.join(folder, "work")
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    pathlib.Path(work, "commands.json").write_text(json.dumps(MANIFEST))
    mark = os.path.join(folder, "mark")
    for file in (mark, mark + ".then"):
        pathlib.Path(file).unlink(missing_ok=True)
    key, value = trial.split("=")
    environment = dict(os.environ, LD_PRELOAD=shim, **fault.environment(number, mark), **{key: value})
    process = subprocess.Popen([appboot, "run", "--then-stop"], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        output, _ = process.communicate(timeout=20)
        problem = None
    except subprocess.TimeoutExpired:
        for left in processes(trial) + [process.pid]:
            os.kill(left, signal.SIGKILL)
        output, _ = process.communicate()
        problem = "hangs"
    made = os.path.exists(mark)
    exit_code = process.returncode
    if made and not problem:
        is_named = any(words in output.lower() for words in fault.words)
        if exit_code < 0 or exit_code >= 128:
            problem = f"ended by signal {-exit_code if exit_code < 0 else exit_code - 128}"
        elif exit_code != 0 and fault.is_transient:
            problem = f"exit code {exit_code}, although the call was only interrupted"
        elif exit_code != 0 and not is_named:
            problem = f"exit code {exit_code} without {fault.words} in the output"
        elif exit_code == 0 and not all(os.path.exists(os.path.join(work, step)) for step in ("one", "two", "three")):
            problem = "exit code 0, but not every step has run"
        elif exit_code == 0 and not is_named:
            problem = missing_record(appboot, work)
    return made, with_survivors(trial, problem), exit_code, output


def with_survivors(trial, problem):
    """Ends the processes that are left. Returns the problem, or that a process is left."""
    deadline = time.monotonic() + 1
    while processes(trial) and time.monotonic() < deadline:
        time.sleep(0.005)
    for left in processes(trial):
        problem = f"{problem or ''} process {left} is left"
        os.kill(left, signal.SIGKILL)
    return problem


def missing_record(appboot, work, event=None):
    """Returns the problem with the last launch's record, or None."""
    report = subprocess.run([appboot, "report", "--format", "json"], cwd=work, capture_output=True, text=True, check=False)
    if report.returncode != 0:
        return f"the launch has no record: {report.stderr.strip()}"
    record = json.loads(report.stdout)
    if record["outcome"] != "succeeded":
        return f"the record says that the launch {record['outcome']}"
    if event and event not in [handled["event"] for handled in record.get("events", [])]:
        return f"the record has no {event}"
    return None


class Staying:
    """A trial with an app that stays."""

    def __init__(self, appboot, shim, folder, kind):
        self.appboot, self.shim, self.folder = appboot, shim, folder
        self.is_later, self.has_crashed = kind == "app that is up", kind == "app after a crash"
        self.work = os.path.join(folder, "stay")
        self.mark = os.path.join(folder, "mark")
        self.begin = os.path.join(folder, "begin")

    def client(self, *arguments):
        """Runs a client. Returns its exit code (None if it hangs) and output."""
        try:
            done = subprocess.run([self.appboot, *arguments], cwd=self.work, stdin=subprocess.DEVNULL, timeout=20,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout

    def run(self, fault, number):
        """Keeps an app running with a fault. Returns (was the call made, problem or None, code, output)."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        pathlib.Path(self.work, "commands.json").write_text(json.dumps(STAYING))
        if self.has_crashed:
            self.crash()
        for file in (self.mark, self.mark + ".then", self.begin):
            pathlib.Path(file).unlink(missing_ok=True)
        kind = "up" if self.is_later else "stay"
        trial = f"FAULT_TRIAL={kind}-{fault.label}-{number}-{os.getpid()}".replace(" ", "-")
        key, value = trial.split("=")
        environment = dict(os.environ, LD_PRELOAD=self.shim, **fault.environment(number, self.mark), **{key: value})
        if self.is_later:
            environment["FAULT_FROM"] = self.begin
        with open(os.path.join(self.work, "output"), "w+", encoding="utf-8", errors="replace") as file:
            app = subprocess.Popen([self.appboot, "run", "--stay"], cwd=self.work, env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
            problem, clients = self.use(app, fault)
            file.seek(0)
            output = file.read()
        made = os.path.exists(self.mark)
        if made and not problem:
            problem = self.judge(app.returncode, clients, output, fault)
        return made, with_survivors(trial, problem), app.returncode, output + "".join(text for _, text in clients)

    def crash(self):
        """Leaves the files of an app that was killed."""
        left = os.path.join(self.folder, "left")
        if not os.path.exists(left):
            app = subprocess.Popen([self.appboot, "run", "--stay", "--quiet"], cwd=self.work, stdin=subprocess.DEVNULL)
            self.wait_for(app, lambda: self.client("status", "--ready")[0] == 0)
            self.client("emit", "openURL", "--url", "a:b")
            app.kill()
            app.wait()
            # A socket is a file that shutil cannot copy.
            subprocess.run(["cp", "-a", os.path.join(self.work, ".appboot"), left], check=True)
            os.remove(os.path.join(self.work, "opened"))
        else:
            subprocess.run(["cp", "-a", left, os.path.join(self.work, ".appboot")], check=True)

    @staticmethod
    def wait_for(app, is_reached):
        deadline = time.monotonic() + 20
        while app.poll() is None and not is_reached() and time.monotonic() < deadline:
            time.sleep(0.002)

    def is_up(self, fault):
        """Returns true if the app accepts connections, or says that the call failed."""
        # The file of the socket exists shortly before the app listens.
        with socket.socket(socket.AF_UNIX) as client:
            if client.connect_ex(os.path.join(self.work, ".appboot", "control.sock")) == 0:
                return True
        output = pathlib.Path(self.work, "output").read_text(errors="replace").lower()
        return any(words in output for words in fault.words)

    def use(self, app, fault):
        """Uses and ends an app. Returns the problem, and the exit codes and outputs of status and emit."""
        self.wait_for(app, lambda: self.is_up(fault))
        clients = []
        # The answer shows that the launch is over.
        if self.is_later:
            self.client("status")
            pathlib.Path(self.begin).touch()
        # An app whose calls fail may not answer.
        timeout = "10s" if fault.is_transient else "1s"
        if app.poll() is None:
            clients = [self.client("status"), self.client("emit", "openURL", "--url", "a:b", "--timeout", timeout)]
        try:
            # An app that refuses may be ending because of the failed call.
            if clients and clients[1][0] != 0:
                app.wait(timeout=2)
        except subprocess.TimeoutExpired:
            pass
        if app.poll() is None:
            app.send_signal(signal.SIGTERM)
        try:
            app.wait(timeout=20)
        except subprocess.TimeoutExpired:
            app.kill()
            app.wait()
            return "the app hangs", clients
        return ("a client hangs" if None in [code for code, _ in clients] else None), clients

    def judge(self, code, clients, output, fault):
        opened = os.path.exists(os.path.join(self.work, "opened"))
        if code != 0 and (code < 0 or code >= 128):
            return f"the app was ended by signal {-code if code < 0 else code - 128}"
        if fault.is_transient and (code != 0 or len(clients) < 2 or any(client for client, _ in clients) or not opened):
            return f"exit codes {code} and {[client for client, _ in clients]}, although the call can be made again"
        told = output.lower() + "".join(text.lower() for _, text in clients)
        is_named = any(words in told for words in fault.words)
        if (code != 0 or any(client for client, _ in clients)) and not is_named:
            return f"exit codes {code} and {[client for client, _ in clients]} without {fault.words} in an output"
        is_handled = len(clients) == 2 and clients[1][0] == 0
        if is_handled and not opened:
            return "the event was confirmed, but its handler has not run"
        return missing_record(self.appboot, self.work, "openURL" if is_handled else None) if not is_named else None


def run_slow_disk(appboot, shim, folder, kind, stops):
    """Runs a launch in which each write to the journal, or to a log, takes a second. Returns the problem or None."""
    work = os.path.join(folder, "slow")
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    steps = {
        "processes": [{"command": "RunProcess", "id": f"step-{n}", "with": {"arguments": ["true"]}} for n in range(20)],
        "commands": [{"command": "Appearance", "id": f"step-{n}"} for n in range(20)],
        "output": [],
    }[kind]
    # A signal before the launch begins has its default action.
    program = ["sh", "-c", "touch begun; exec " + ("yes" if kind == "output" else "sleep 60")]
    slow = "/last.log" if kind == "output" else "/journal.jsonl"
    last = {"command": "RunProcess", "id": "last", "after": [], "with": {"arguments": program}}
    manifest = {"version": 1, "name": "Slow", "commands": [last] + steps}
    if stops != "signal":
        manifest["timeout"] = "500ms"
    pathlib.Path(work, "commands.json").write_text(json.dumps(manifest))
    environment = dict(os.environ, LD_PRELOAD=shim, FAULT_SLOW=f"{slow} 1000")
    process = subprocess.Popen([appboot, "run", "--record", "record.json"], cwd=work, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if stops == "signal":
        deadline = time.monotonic() + 60
        while not os.path.exists(os.path.join(work, "begun")) and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGTERM)
    try:
        output, _ = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        journal = pathlib.Path(work, ".appboot", "journal.jsonl")
        process.kill()
        return "it hangs, with this journal:\n" + (journal.read_text() if journal.exists() else "none")
    record = json.loads(pathlib.Path(work, "record.json").read_text())
    if record["outcome"] != ("cancelled" if stops == "signal" else "timedOut"):
        return f"outcome {record['outcome']}\n{output}"
    # If the timeout waited for the disk, each of the twenty steps would take a second. A few writes may.
    seconds = record["duration"] / 1e9
    return f"it ended after {seconds:.1f} s\n{output}" if seconds > 10 else None


def run_slow_stay(appboot, shim, folder, stops):
    """Runs event handlers of an app that stays while each write to the journal takes 3 s. Returns the problem or None."""
    work = os.path.join(folder, "stay")
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    hanging = {"command": "RunProcess", "id": "hangs", "with": {"arguments": ["sleep", "60"]}}
    if stops == "limit":
        hanging["timeout"] = "500ms"
    manifest = {
        "version": 1, "name": "Stay", "commands": [{"command": "Appearance"}],
        "on": {
            "openURL": [{"command": "Appearance", "id": f"step-{n}"} for n in range(5)] + [hanging],
            "willTerminate": [{"command": "RunProcess", "id": "last", "with": {"arguments": ["touch", "ended"]}}],
        },
    }
    pathlib.Path(work, "commands.json").write_text(json.dumps(manifest))
    environment = dict(os.environ, LD_PRELOAD=shim, FAULT_SLOW=".jsonl 3000")
    process = subprocess.Popen([appboot, "run", "--stay"], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    emitting = None

    def wait_for(what, is_reached):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            status = subprocess.run([appboot, "status", "--format", "json"], cwd=work, capture_output=True, text=True)
            if status.returncode == 0 and is_reached(json.loads(status.stdout)):
                return
            time.sleep(0.05)
        raise TimeoutError(what)

    try:
        wait_for("the end of the launch", lambda status: status["state"]["phase"] == "active")
        begin = time.monotonic()
        emitting = subprocess.Popen([appboot, "emit", "openURL", "--url", "app://a"], cwd=work,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if stops == "limit":
            answer, _ = emitting.communicate(timeout=60)
            seconds = time.monotonic() - begin
            if seconds > 3:
                return f"a handler with a timeout of 0.5 s ended after {seconds:.1f} s\n{answer}"
        else:
            wait_for("the handlers", lambda status: "handling" in status)
            begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
        seconds = time.monotonic() - begin
        if stops == "signal" and seconds > 10:
            return f"it ended {seconds:.1f} s after TERM\n{output}"
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        return f"no end of: {error}"
    finally:
        for left in (process, emitting):
            if left and left.poll() is None:
                left.kill()
                left.communicate()
    if not os.path.exists(os.path.join(work, "ended")):
        return f"the handlers of willTerminate did not run\n{output}"
    record = max(pathlib.Path(work, ".appboot", "records").iterdir())
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    ends = [line["outcome"] for line in lines if line.get("kind") == "handlersEnded"]
    expected = ["failed" if stops == "limit" else "cancelled", "succeeded"]
    return None if ends[:1] == expected[:1] and ends[-1:] == expected[-1:] else f"the journal has the ends {ends}\n{output}"


def run_series(options, shim, parent, kind, fault):
    """Makes the first call fail, then the second, and so on. Returns the numbers of trials, failures and successes."""
    trials, failures, absorbed = 0, 0, 0
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        trial = functools.partial(run, options.appboot, shim, folder)
        if kind != "launch":
            trial = Staying(options.appboot, shim, folder, kind).run
        for number in fault.numbers(options.most):
            made, problem, code, output = trial(fault, number)
            if not made and not problem:
                if number == 1 and not fault.lasts and not fault.then:
                    failures += 1
                    print(f"{fault.call}: the {kind} makes no such call: remove it from this script", flush=True)
                break
            trials += 1
            absorbed += code == 0
            if problem and (kind, fault.label) in KNOWN:
                print(f"{kind}: {fault.label}, number {number}: known: {KNOWN[kind, fault.label]}", flush=True)
            elif problem:
                failures += 1
                mark = pathlib.Path(folder, "mark")
                failed = mark.read_text().strip() if mark.exists() else "none"
                print(f"{kind}: {fault.label}, number {number}: {problem}\nfailed call: {failed}\n{output}", flush=True)
            elif options.verbose:
                print(f"{kind}: {fault.label}, number {number}: exit code {code}", flush=True)
    return trials, failures, absorbed


def faults(kind, call, names):
    """Returns the faults of a call: each error once; the errors that are not transient from then on, and before others."""
    once = [Fault(call, name) for name in names]
    lasting = [name for name in names if name not in TRANSIENT][:1]
    # A client that asks an app whose calls fail waits, so these trials are of launches and of apps that start.
    pairs = [Fault(call, name, then=then) for name in lasting for then in THEN] if kind == "launch" else []
    return once + [Fault(call, name, lasts=True) for name in lasting] + pairs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--call")
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count(), help="how many launches run side by side")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    appboot = options.appboot = os.path.abspath(options.appboot)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="appboot-faults-") as folder:
        shim = build_shim(folder)
        kinds = {"launch": CALLS, "app": STAYING_CALLS, "app that is up": LATER_CALLS,
                 "app after a crash": CRASHED_CALLS}
        series = [(kind, fault) for kind, calls in kinds.items() for call, names in calls.items()
                  if options.call in (None, call) for fault in faults(kind, call, names)]
        # A launch waits for its processes most of the time.
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            counts = list(pool.map(lambda one: run_series(options, shim, folder, *one), series))
        trials, failures, absorbed = map(sum, zip((0, 0, 0), *counts))
        for kind in () if options.call else ("processes", "commands", "output"):
            for stops in ("limit", "signal"):
                problem = run_slow_disk(appboot, shim, folder, kind, stops)
                trials += 1
                if problem:
                    failures += 1
                    print(f"slow disk, {kind}, {stops}: {problem}", flush=True)
        for stops in () if options.call else ("limit", "signal"):
            problem = run_slow_stay(appboot, shim, folder, stops)
            trials += 1
            if problem:
                failures += 1
                print(f"slow disk, an app that stays, {stops}: {problem}", flush=True)
    seconds = time.monotonic() - begin
    print(f"{trials} system calls failed in turn: {absorbed} launches and apps succeeded, {failures} broke a rule; {seconds:.0f} s")
    sys.exit(1 if failures or trials == 0 else 0)


if __name__ == "__main__":
    main()

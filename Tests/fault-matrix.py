#!/usr/bin/env python3
"""Makes each system call of a launch fail once, and looks at what the launch then says and leaves.

    Tests/fault-matrix.py [APPBOOT] [--most 40] [--call NAME] [--verbose]

A trial boots two processes, one that leaves a third running, and a service, and stops. One call fails: the first,
the second, and so on, until the launch makes no further call of that kind or `--most` is reached. Then:

- it ends within 20 s, and not by a signal,
- an interrupted call (EINTR) changes nothing: exit code 0,
- with exit code 0 every step has run,
- with another exit code the output names the error,
- no process is left.

Then each write to the journal takes a second, as on a slow disk: the launch times out after half a second, and TERM
ends a launch without a timeout. The same holds for each write to the log of a process that prints without end.

It needs a C compiler (`cc` or `clang`) and Linux.
"""

import argparse
import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

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
    "posix_spawn": FULL, "fork": ["EAGAIN", "ENOMEM"], "pthread_create": ["EAGAIN"], "epoll_ctl": ["ENOMEM"],
    "fcntl": ["EINTR"], "dup2": ["EINTR", "EMFILE"], "poll": ["EINTR", "ENOMEM"], "epoll_wait": ["EINTR"],
    "waitid": ["EINTR"], "waitpid": ["EINTR"], "read": ["EINTR"], "write": ["EINTR"], "flock": ["EINTR"],
    "mkdir": ["ENOMEM"], "rename": ["ENOMEM"], "sigwaitinfo": ["EINTR"],
}


def survivors(trial):
    """Returns the processes that have the trial's name in their environment."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and trial.encode() in pathlib.Path(f"/proc/{entry}/environ").read_bytes():
                found.append(int(entry))
        except OSError:
            pass
    return found


def build_shim(folder):
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        print("fault-matrix: skipped: it needs a C compiler")
        sys.exit(0)
    library = os.path.join(folder, "shim.so")
    source = pathlib.Path(__file__).with_name("fault-shim.c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-w", str(source), "-o", library, "-ldl"], check=True)
    return library


def run(appboot, shim, folder, call, number, name):
    """Boots with one failing call. Returns (was the call made, problem or None)."""
    trial = f"FAULT_TRIAL={call}-{number}-{name}-{os.getpid()}"
    work = os.path.join(folder, "work")
    shutil.rmtree(work, ignore_errors=True)
    os.mkdir(work)
    pathlib.Path(work, "commands.json").write_text(json.dumps(MANIFEST))
    mark = os.path.join(folder, "mark")
    if os.path.exists(mark):
        os.remove(mark)
    key, value = trial.split("=")
    code = getattr(errno, name)
    environment = dict(os.environ, LD_PRELOAD=shim, FAULT=f"{call} {number} {code}", FAULT_MARK=mark, **{key: value})
    process = subprocess.Popen([appboot, "run", "--then-stop"], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        output, _ = process.communicate(timeout=20)
        problem = None
    except subprocess.TimeoutExpired:
        for left in survivors(trial) + [process.pid]:
            os.kill(left, signal.SIGKILL)
        output, _ = process.communicate()
        problem = "hangs"
    made = os.path.exists(mark)
    exit_code = process.returncode
    if made and not problem:
        words = os.strerror(code).lower()
        if exit_code < 0 or exit_code >= 128:
            problem = f"ended by signal {-exit_code if exit_code < 0 else exit_code - 128}"
        elif exit_code != 0 and name == "EINTR":
            problem = f"exit code {exit_code}, although the call was only interrupted"
        elif exit_code != 0 and words not in output.lower():
            problem = f"exit code {exit_code} without {words!r} in the output"
        elif exit_code == 0 and not all(os.path.exists(os.path.join(work, step)) for step in ("one", "two", "three")):
            problem = "exit code 0, but not every step has run"
    deadline = time.monotonic() + 1
    while survivors(trial) and time.monotonic() < deadline:
        time.sleep(0.005)
    for left in survivors(trial):
        problem = f"{problem or ''} process {left} is left"
        os.kill(left, signal.SIGKILL)
    return made, problem, exit_code, output


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
    program = ["yes"] if kind == "output" else ["sleep", "60"]
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
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    record = json.loads(pathlib.Path(work, "record.json").read_text())
    if record["outcome"] != ("cancelled" if stops == "signal" else "timedOut"):
        return f"outcome {record['outcome']}\n{output}"
    # If the timeout waited for the disk, each of the twenty steps would take a second.
    seconds = record["duration"] / 1e9
    return f"it ended after {seconds:.1f} s\n{output}" if seconds > 5 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--call")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    appboot = os.path.abspath(options.appboot)
    begin = time.monotonic()
    trials, failures, absorbed = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="appboot-faults-") as folder:
        shim = build_shim(folder)
        for call, names in CALLS.items():
            if options.call and call != options.call:
                continue
            for name in names:
                for number in range(1, options.most + 1):
                    made, problem, code, output = run(appboot, shim, folder, call, number, name)
                    if not made and not problem:
                        if number == 1:
                            failures += 1
                            print(f"{call}: the launch makes no such call: remove it from this script", flush=True)
                        break
                    trials += 1
                    absorbed += code == 0
                    if problem:
                        failures += 1
                        print(f"{call} {number} {name}: {problem}\n{output}", flush=True)
                    elif options.verbose:
                        print(f"{call} {number} {name}: exit code {code}", flush=True)
        for kind in () if options.call else ("processes", "commands", "output"):
            for stops in ("limit", "signal"):
                problem = run_slow_disk(appboot, shim, folder, kind, stops)
                trials += 1
                if problem:
                    failures += 1
                    print(f"slow disk, {kind}, {stops}: {problem}", flush=True)
    seconds = time.monotonic() - begin
    print(f"{trials} system calls failed in turn: {absorbed} launches succeeded, {failures} broke a rule; {seconds:.0f} s")
    sys.exit(1 if failures or trials == 0 else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Ends `appboot run` in each way that a launch or a service can end, above each kind of process, and looks for
survivors.

After each trial no process of the launch may be left, the exit code has to be right, and the record or the journal has
to be complete. Linux only: the survivors are found in /proc.

    Tests/kill-matrix.py [APPBOOT] [--repetitions 20] [--offsets 200] [--seed N] [--orphans 10000] [--only WAY|KIND ...] [--jobs N]
"""

import argparse
import concurrent.futures
import contextlib
import itertools
import json
import math
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from launches import Failure, kill_processes, processes

GRACE = 2.0  # The seconds between TERM and KILL for a step that is stopped.
SERVICE_GRACE = 1.0  # The same seconds for a service.
MARGIN = 1.0  # The seconds after the grace in which the last process has to end.
# A chain of sessions beats every millisecond; a busy machine can hold it up.
BEAT_LIMIT = 0.15
PATIENCE = 30.0  # The seconds after which a trial counts as hung.

# The kinds of processes. Each calls ready() once it is what its name says.
CHILDREN = r'''
import ctypes, os, signal, subprocess, sys, time
folder = os.environ["MATRIX_FOLDER"]
libc = ctypes.CDLL(None)

def ready():
    os.close(os.open(folder + "/ready", os.O_CREAT | os.O_WRONLY))

def sleep():
    while True:
        time.sleep(600)

def fork(body):
    child = os.fork()
    if child == 0:
        body()
        os._exit(0)
    return child

def plain():
    ready()
    sleep()

def ignores_term():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    plain()

def grandchild():
    fork(lambda: fork(plain) and sleep())
    sleep()

def daemon(body=ignores_term):
    """Leaves group and session, and loses its parents."""
    def session():
        os.setsid()
        fork(body)
        os._exit(0)
    os.waitpid(fork(session), 0)

def daemonizes():
    daemon()
    sleep()

def closes_descriptors():
    def bare():
        ready()
        os.closerange(0, 1024)
        sleep()
    daemon(bare)
    sleep()

def floods():
    line = b"x" * 4095 + b"\n"
    ready()
    while True:
        try:
            os.write(1, line)
        except OSError:
            time.sleep(0.01)

def stopped():
    def stops():
        ready()
        os.kill(os.getpid(), signal.SIGSTOP)
        sleep()
    fork(stops)
    sleep()

def subreaper():
    libc.prctl(36, 1, 0, 0, 0)
    daemon()
    sleep()

def undumpable():
    libc.prctl(4, 0, 0, 0, 0)
    daemon()
    sleep()

def pipeline():
    os.execvp("sh", ["sh", "-c", 'touch "$MATRIX_FOLDER/ready"; sleep 600 | sleep 600 | cat'])

def leader_ends():
    fork(ignores_term)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    sleep()

def changes_session():
    """A chain of processes: each starts the next in a new session, and ends a millisecond later.

    A scan of /proc can miss it, so each process marks its time in a file. The chain ends with the trial's folder, or
    after a minute.
    """
    def link():
        end = time.monotonic() + 60
        for number in range(10 ** 9):
            try:
                os.close(os.open(folder + "/beat", os.O_CREAT | os.O_WRONLY))
                os.utime(folder + "/beat")
            except OSError:
                os._exit(0)
            if time.monotonic() > end:
                os._exit(0)
            os.setsid()
            time.sleep(0.001)
            if number == 3:
                ready()
            if os.fork():
                os._exit(0)
    fork(link)
    sleep()

def handles_term():
    """Needs half of its grace period to end, and then marks that the period was long enough."""
    def finish(*_):
        time.sleep(float(os.environ["MATRIX_GRACE"]) / 2)
        os.close(os.open(folder + "/finished", os.O_CREAT | os.O_WRONLY))
        os._exit(0)
    signal.signal(signal.SIGTERM, finish)
    plain()

def behind_shell():
    os.execvp("sh", ["sh", "-c", '"$@" & wait', "sh", sys.executable, "-S", __file__, "handles_term", *sys.argv[2:]])

def behind_list():
    os.execvp("sh", ["sh", "-c", 'cd . && "$@"; :', "sh", sys.executable, "-S", __file__, "handles_term", *sys.argv[2:]])

def in_pipeline():
    os.execvp("sh", ["sh", "-c", '"$@" | cat', "sh", sys.executable, "-S", __file__, "handles_term", *sys.argv[2:]])

def behind_wrapper():
    """Like npm: ends at once, and leaves its child to itself."""
    fork(handles_term)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    sleep()

def handling_daemon():
    daemon(handles_term)
    sleep()

def successful():
    """Leaves a process of another kind running, and succeeds."""
    with open(folder + "/log", "ab") as log:
        subprocess.Popen([sys.executable, "-S", __file__, sys.argv[2]], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    while not os.path.exists(folder + "/ready"):
        time.sleep(0.002)

def orphans():
    for _ in range(int(sys.argv[2])):
        os.waitpid(fork(lambda: fork(lambda: None)), 0)

globals()[sys.argv[1]]()
'''

# Functions of CHILDREN. Those of HANDLING have time to end, unless the tool itself is killed.
HANDLING = ["behind_shell", "behind_list", "in_pipeline", "behind_wrapper", "handling_daemon"]
KINDS = HANDLING + [
    "plain", "ignores_term", "pipeline", "grandchild", "daemonizes", "closes_descriptors", "floods", "stopped", "subreaper",
    "undumpable", "leader_ends", "changes_session",
]


# The kinds that differ in what ends the process. They suffice for a way that ends a launch like another way.
ENDING = HANDLING + ["plain", "ignores_term", "leader_ends"]

# After a KILL the watcher does not find a process that left its group, and whose environment cannot be read in time.
WATCHED = [kind for kind in KINDS if kind not in ("undumpable", "changes_session")]


class Way:
    """A way to end a launch: what is done, and what has to follow."""

    def __init__(self, name, act=None, end=None, **options):
        self.name = name
        self.act = act  # Called with the trial once the process is ready.
        self.end = end  # The expected return code, as Popen gives it.
        self.evidence = options.pop("evidence", "record")  # What has to be complete: "record" or "journal".
        self.options = options  # Changes of the trial: see Trial.start.

    def slower(self):
        """The same way with twice the timeouts, for a machine on which the process was not ready in time."""
        options = dict(self.options)
        for part in ("step", "launch"):
            time = options.get(part, {}).get("timeout")
            if time:
                options[part] = {**options[part], "timeout": f"{2 * int(time.removesuffix('ms'))}ms"}
        return Way(self.name, self.act, self.end, evidence=self.evidence, **options)


def send(number, target="process"):
    def act(trial):
        os.kill(trial.tool.pid * (-1 if target == "group" else 1), number)
    return act


def type_interrupt(trial):
    os.write(trial.terminal, b"\x03")


def hang_up(trial):
    os.close(trial.terminal)
    trial.terminal = None


def close_output(trial):
    trial.tool.stdout.close()


def request(action):
    """Stops or restarts the service, and then ends the app. What the service had started has to end with it."""
    def act(trial):
        before = set(processes(trial.marker)) - {trial.tool.pid}
        answer = subprocess.run([trial.appboot, action, "child"], cwd=trial.folder, capture_output=True, timeout=PATIENCE,
                                env={**os.environ, "APPBOOT_STATE": ""}, check=False)
        if answer.returncode != 0:
            raise Failure(f"{action}: the code is {answer.returncode}: {answer.stderr.decode()}")
        trial.wait_for_survivors(before)
        os.kill(trial.tool.pid, TERM)
    return act


def crash(trial):
    """KILL for the process of the service. The app ends if no service is left, and goes on if the service restarts."""
    status = subprocess.run([trial.appboot, "status", "--format", "json"], cwd=trial.folder, capture_output=True,
                            env={**os.environ, "APPBOOT_STATE": ""}, timeout=PATIENCE, check=True)
    service = json.loads(status.stdout)["services"][0]["pid"]
    before = set(processes(trial.marker)) - {trial.tool.pid}
    os.kill(service, signal.SIGKILL)
    trial.wait_for_survivors(before)
    # A TERM in the last moments of an app that ends by itself would be its end.
    if "restart" in trial.way.options["with"]:
        os.kill(trial.tool.pid, TERM)


def touch(name):
    """Makes a file for which a program of the trial waits."""
    def act(trial):
        pathlib.Path(trial.folder, name).touch()
    return act


def sicken(trial):
    """Makes one check of the service fail, which restarts it. What the service had started has to end with it."""
    before = set(processes(trial.marker)) - {trial.tool.pid}
    touch("sick")(trial)
    trial.wait_for_survivors(before)
    os.kill(trial.tool.pid, TERM)


def waiting(name, end=""):
    """A program that waits for a file."""
    return {"arguments": ["sh", "-c", f"until [ -e {name} ]; do sleep 0.01; done{end}"]}


TERM = signal.SIGTERM
# The tool is the first process of a PID namespace, as in a container.
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
SERVICE = {"service": True, "evidence": "success"}
STAYING = {"evidence": "success", "arguments": ["--stay"]}
NEVER = {"ready": {"file": "never"}}
# A check that fails once for each file "sick".
LIVE = {"live": {"command": ["sh", "-c", "! rm sick 2>/dev/null"], "every": "50ms", "failures": 1}}
WAYS = [
    Way("INT", send(signal.SIGINT), -signal.SIGINT),
    Way("TERM", send(TERM), -TERM),
    Way("HUP", send(signal.SIGHUP), -signal.SIGHUP),
    Way("QUIT", send(signal.SIGQUIT), -signal.SIGQUIT, evidence="journal"),
    Way("KILL", send(signal.SIGKILL), -signal.SIGKILL, evidence="crash", kinds=WATCHED),
    Way("KILL-group", send(signal.SIGKILL, "group"), -signal.SIGKILL, evidence="crash", kinds=WATCHED),
    Way("KILL-namespace", send(signal.SIGKILL), -signal.SIGKILL, evidence="crash", prefix=NAMESPACE),
    Way("INT-terminal", type_interrupt, -signal.SIGINT, terminal=True),
    Way("hang-up", hang_up, -signal.SIGHUP, terminal=True),
    Way("step-timeout", None, 1, step={"timeout": "600ms"}),
    Way("sibling-failure", None, 1, leaves=True, after={"command": "RunProcess", "with": {"arguments": ["false"]}}),
    Way("launch-timeout", None, 124, launch={"timeout": "600ms"}),
    Way("fail-fast", None, 1, launch={"failFast": True}, kinds=ENDING,
        after={"command": "RunProcess", "after": [], "with": waiting("ready", "; exit 3")}),
    Way("undo-timeout", None, 1, undo=True, step={"timeout": "600ms"}, kinds=ENDING,
        after={"command": "RunProcess", "onFailure": "rollback", "with": {"arguments": ["false"]}}),
    Way("closed-output", close_output, 124, launch={"timeout": "800ms"}, arguments=["--format", "jsonl"]),
    Way("service-TERM", send(TERM), 0, **SERVICE),
    Way("service-INT", send(signal.SIGINT), -signal.SIGINT, **SERVICE),
    Way("then-stop", None, 0, **{**SERVICE, "arguments": ["--then-stop"]}),
    Way("stop", request("stop"), 0, **SERVICE),
    Way("restart", request("restart"), 0, **SERVICE),
    Way("crash", crash, 0, **{**SERVICE, "with": {"onExit": "ignore"}}),
    Way("crash-restart", crash, 0, **{**SERVICE, "with": {"restart": {"when": "always", "backoff": "1ms"}}}),
    Way("unhealthy", sicken, 0, kinds=ENDING,
        **{**SERVICE, "with": {**LIVE, "restart": {"when": "onFailure", "backoff": "1ms"}}}),
    Way("other-finish", touch("over"), 0, kinds=ENDING, **SERVICE,
        after={"command": "RunService", "id": "other", "with": {**waiting("over"), "onExit": "finish"}}),
    Way("service-sibling-failure", None, 1, service=True, kinds=ENDING,
        after={"command": "RunProcess", "with": {"arguments": ["false"]}}),
    Way("start-timeout", None, 1, service=True, kinds=ENDING, step={"timeout": "600ms"}, **{"with": NEVER}),
    Way("start-TERM", send(TERM), -TERM, service=True, kinds=ENDING, **{"with": NEVER}),
    Way("start-sibling-failure", None, 1, service=True, kinds=ENDING, **{"with": NEVER},
        after={"command": "RunProcess", "after": [], "with": waiting("ready", "; exit 3")}),
    Way("handler", send(TERM), 0, **{**STAYING, "handler": True, "evidence": "none"}),
    Way("handler-left", send(TERM), 0, handler=True, leaves=True, **STAYING),
    Way("step-left", None, 0, leaves=True, evidence="success", arguments=["--then-stop"],
        after={"command": "RunService", "with": {"arguments": ["sleep", "600"]}}),
]


class TooSlow(Failure):
    """The limit of the launch ended it before its process was ready: the trial says nothing."""


def describe(process):
    with contextlib.suppress(OSError):
        return f"{process} {pathlib.Path(f'/proc/{process}/stat').read_text()[:60]}"
    return str(process)


class Trial:
    def __init__(self, appboot, kind, way):
        self.appboot, self.kind, self.way = appboot, kind, way
        self.folder = tempfile.mkdtemp(prefix="appboot-matrix-")
        self.marker = os.path.basename(self.folder)
        self.terminal = None
        self.tool = None

    def run(self):
        """Returns the seconds from the act to the end of the last process."""
        try:
            self.start()
            if self.way.act:
                self.wait_until_ready()
            begin = time.monotonic()
            if self.way.act:
                self.way.act(self)
            self.wait_for_tool()
            over = self.wait_for_survivors()
            self.check_end()
            self.check_grace(over - begin)
            self.check_finish()
            return over - begin
        finally:
            self.clean_up()

    def arguments(self):
        children = os.path.join(self.folder, "children.py")
        pathlib.Path(children).write_text(CHILDREN + "\n")
        # The marker is in the arguments too: the environment of some processes cannot be read.
        return [sys.executable, "-S", children] + (["successful"] if self.way.options.get("leaves") else []) + [self.kind, self.marker]

    def start(self):
        options = self.way.options
        step = {"command": "RunProcess", "id": "child", "with": {"arguments": self.arguments()}, **options.get("step", {})}
        if options.get("service"):
            # Only the first start has the kind.
            again = ["sh", "-c", 'mkdir started 2>/dev/null && exec "$@"; : >ready; exec sleep 600', "sh"]
            step = {"command": "RunService", "id": "child", "with": {
                "arguments": again + self.arguments(), "ready": {"file": "ready"}, "stop": {"grace": f"{SERVICE_GRACE * 1000:.0f}ms"},
                **options.get("with", {})}, **options.get("step", {})}
        if options.get("undo"):
            step["with"] = {"arguments": ["true"], "undo": step["with"]}
        steps = [step]
        if "after" in options:
            steps.append(options["after"])
        manifest = {"version": 1, "name": "Matrix", **options.get("launch", {}), "commands": steps}
        if options.get("handler"):
            manifest.update(commands=[], on={"didBecomeActive": steps})
        pathlib.Path(self.folder, "commands.json").write_text(json.dumps(manifest))
        command = [*options.get("prefix", []), self.appboot, "run", "--record", "record.json", *options.get("arguments", [])]
        environment = {**os.environ, "APPBOOT_STATE": "", "LC_ALL": "C.UTF-8", "MATRIX_FOLDER": self.folder,
                       "MATRIX_GRACE": str(SERVICE_GRACE if options.get("service") else GRACE)}
        if options.get("terminal"):
            self.terminal, slave = os.openpty()
            # setsid makes the terminal the controlling one, and becomes the tool.
            self.tool = subprocess.Popen(
                ["setsid", "--ctty", *command], cwd=self.folder, env=environment, stdin=slave, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            os.close(slave)
        else:
            isRead = self.way.name == "closed-output"
            self.tool = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, process_group=0,
                stdout=subprocess.PIPE if isRead else subprocess.DEVNULL,
                stderr=pathlib.Path(self.folder, "stderr").open("wb"))

    def wait_until_ready(self):
        limit = time.monotonic() + PATIENCE
        while not os.path.exists(os.path.join(self.folder, "ready")):
            if self.tool.poll() is not None or time.monotonic() > limit:
                kind = TooSlow if self.tool.returncode == 124 else Failure
                raise kind(f"the process was never ready; the tool's code is {self.tool.returncode}")
            time.sleep(0.002)
        records = pathlib.Path(self.folder, ".appboot/records")
        while self.way.evidence == "success" and not any(records.glob("*.jsonl")):
            if time.monotonic() > limit:
                raise Failure("the launch does not end")
            time.sleep(0.002)

    def time_of_start(self):
        """The seconds until the process of a launch is ready."""
        begin = time.monotonic()
        try:
            self.start()
            self.wait_until_ready()
            return time.monotonic() - begin
        finally:
            self.clean_up()

    def wait_for_tool(self):
        try:
            self.tool.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("the tool hangs") from None

    def wait_for_survivors(self, among=None):
        """The tool's end includes the grace: from there the margin counts."""
        # The search for the processes of a service that has ended takes at most 5 s.
        limit = time.monotonic() + (MARGIN if among is None else 5 + MARGIN)
        while True:
            survivors = [process for process in processes(self.marker) if among is None or process in among]
            since_beat = self.time_since_beat()
            if not survivors and since_beat > BEAT_LIMIT:
                return time.monotonic() - (0 if since_beat == math.inf else BEAT_LIMIT)
            if time.monotonic() > limit:
                names = '; '.join(map(describe, survivors[:4])) or "the chain of sessions"
                raise Failure(f"{max(1, len(survivors))} survived: {names}")
            time.sleep(0.002)

    def time_since_beat(self):
        """The seconds since a process of the chain of sessions ran; infinite without a chain."""
        try:
            return time.time() - os.stat(os.path.join(self.folder, "beat")).st_mtime
        except FileNotFoundError:
            return math.inf

    def check_end(self):
        if self.tool.returncode != self.way.end:
            with contextlib.suppress(OSError):
                print(pathlib.Path(self.folder, "stderr").read_text()[-500:], file=sys.stderr)
            raise Failure(f"the code is {self.tool.returncode}, not {self.way.end}")
        {"record": self.check_record, "journal": self.check_stopped, "crash": self.check_crash,
         "success": self.check_success, "none": lambda: None}[self.way.evidence]()

    def check_grace(self, seconds):
        """A process that ignores TERM is killed when its grace is over, and not earlier."""
        if self.kind == "ignores_term" and self.way.name in ("INT", "TERM", "HUP"):
            if not GRACE <= seconds < GRACE + 5 * MARGIN:
                raise Failure(f"the process was killed after {seconds:.2f} s, and its grace is {GRACE:.0f} s")
        if self.kind == "plain" and self.way.name in ("INT", "TERM", "HUP", "service-TERM") and seconds >= GRACE:
            raise Failure(f"the launch took {seconds:.2f} s to end, although nothing needs its grace")

    def check_finish(self):
        """A process that handles TERM gets its grace period, whatever ends it and whether its parent has ended."""
        if not self.way.act and not os.path.exists(os.path.join(self.folder, "ready")):
            raise TooSlow("the process was not ready before its end")
        ends_at_once = self.way.name == "QUIT" or self.way.name.startswith("KILL")
        if self.kind in HANDLING and not ends_at_once and not os.path.exists(os.path.join(self.folder, "finished")):
            raise Failure("the process did not have its grace")

    def check_success(self):
        record = json.loads(pathlib.Path(self.folder, "record.json").read_text())
        if record["outcome"] != "succeeded":
            raise Failure(f"the outcome is {record['outcome']}")

    def check_record(self):
        record = json.loads(pathlib.Path(self.folder, "record.json").read_text())
        states = [step["state"] for step in record["steps"]]
        if record["outcome"] in ("running", "succeeded") or {"waiting", "ready", "running"} & set(states):
            raise Failure(f"the record is not complete: {record['outcome']}, {states}")

    def journal(self):
        """Returns the lines of the journal, without a last one that was cut off."""
        lines = pathlib.Path(self.folder, ".appboot/journal.jsonl").read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def check_crash(self):
        kinds = [event.get("kind") for event in self.journal()[1:]]
        if "started" not in kinds or {"ended", "launchEnded"} & set(kinds):
            raise Failure(f"the journal does not end in the step: {kinds}")

    def check_stopped(self):
        if not any("SIG" in json.dumps(event) for event in self.journal()):
            raise Failure("the journal has no signal")

    def clean_up(self):
        for process in [self.tool.pid] if self.tool and self.tool.poll() is None else []:
            os.kill(process, signal.SIGKILL)
        kill_processes(self.marker)
        if self.tool:
            self.tool.wait()
            if self.tool.stdout:
                self.tool.stdout.close()
        if self.terminal is not None:
            os.close(self.terminal)
        shutil.rmtree(self.folder, ignore_errors=True)


class Leaving(Trial):
    """After a success, what a step left running continues to run."""

    def run(self):
        try:
            self.start()
            self.wait_for_tool()
            if self.tool.returncode != 0:
                raise Failure(f"the code is {self.tool.returncode}, not 0")
            time.sleep(0.05)
            if not processes(self.marker):
                raise Failure("nothing was left running")
            return 0
        finally:
            self.clean_up()


class Offset(Trial):
    """A signal at a moment of the start."""

    def __init__(self, appboot, moment, number=TERM):
        evidence = "record" if number == TERM else "none"
        super().__init__(appboot, "plain", Way("offset", send(number), -number, evidence=evidence))
        self.moment = moment

    def wait_until_ready(self):
        time.sleep(self.moment)

    def check_record(self):
        # A TERM before the launch leaves no record.
        if os.path.exists(os.path.join(self.folder, "record.json")):
            super().check_record()


class EntryPoint(Offset):
    """A signal at a moment of a start whose launch is replaced by a command."""

    def __init__(self, appboot, number, moment):
        super().__init__(appboot, moment)
        self.way = Way("entry", send(number), -number)

    def start(self):
        steps = [{"command": "RunProcess", "with": {"arguments": ["true", self.marker]}}]
        pathlib.Path(self.folder, "commands.json").write_text(json.dumps({"version": 1, "commands": steps}))
        environment = {**os.environ, "APPBOOT_STATE": "", "LC_ALL": "C.UTF-8", "MATRIX_FOLDER": self.folder}
        self.tool = subprocess.Popen(
            [self.appboot, "run", "--quiet", "--", *self.arguments()], cwd=self.folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)

    def check_end(self):
        if self.tool.returncode != self.way.end:
            raise Failure(f"the code is {self.tool.returncode}, not {self.way.end}")


def run_matrix(options):
    ways = [way for way in WAYS if not options.only or way.name in options.only or not {w.name for w in WAYS} & set(options.only)]
    kinds = [kind for kind in KINDS if not options.only or kind in options.only or not set(KINDS) & set(options.only)]
    if not namespaces_work():
        print("note: skipped KILL-namespace: the system permits no namespaces here")
        ways = [way for way in ways if "prefix" not in way.options]
    trials = [("matrix", way, kind) for _ in range(options.repetitions) for way in ways for kind in kinds
              if kind in way.options.get("kinds", KINDS)]
    if not options.only:
        leaving = Way("success", None, 0, leaves=True)
        # The kernel itself hangs up a stopped process whose parent ends (setpgid(2), orphaned process groups).
        trials += [("leaving", leaving, kind) for kind in KINDS if kind != "stopped"] * options.repetitions
        start = Trial(options.appboot, "plain", WAYS[1]).time_of_start()
        draw = random.Random(options.seed).random if options.seed is not None else lambda: 0
        moments = [start * (number + draw()) / options.offsets for number in range(options.offsets)]
        trials += [("offset", number, moment) for number in (TERM, signal.SIGKILL) for moment in moments]
        trials += [("entry", number, moment) for number in (TERM, signal.SIGKILL) for moment in moments[::2]]
    failures, times = [], {}

    def perform(kind_of_trial, way, kind):
        if kind_of_trial == "entry":
            return EntryPoint(options.appboot, way, kind).run()
        if kind_of_trial == "offset":
            return Offset(options.appboot, kind, way).run()
        if kind_of_trial == "leaving":
            return Leaving(options.appboot, kind, way).run()
        for _ in range(6):
            with contextlib.suppress(TooSlow):
                return Trial(options.appboot, kind, way).run()
            way = way.slower()
        return Trial(options.appboot, kind, way).run()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(perform, *trial): trial for trial in trials}
        for done in concurrent.futures.as_completed(running):
            kind_of_trial, way, kind = running[done]
            name = way.name if isinstance(way, Way) else kind_of_trial
            try:
                time_to_end = done.result()
                times.setdefault(name, []).append(time_to_end)
            except Failure as failure:
                failures.append((name, kind, str(failure)))
                print(f"FAILED: {name} × {kind}: {failure}", flush=True)
    for name, values in times.items():
        values.sort()
        print(f"{name:24} {len(values):5} trials, the last process ended after "
              f"{values[len(values) // 2] * 1000:6.0f} ms (median), {values[-1] * 1000:6.0f} ms (longest)")
    return failures


def namespaces_work():
    test = ["unshare", "--pid", "--fork", "--mount-proc", "true"]
    return shutil.which("unshare") and subprocess.run(test, stderr=subprocess.DEVNULL).returncode == 0


def run_first_process(options):
    """The tool as the first process of a PID namespace: it reaps, and INT, QUIT and a second TERM end it."""
    failures = []
    for number, code in ((signal.SIGINT, 130), (signal.SIGQUIT, 131), (TERM, 0)):
        folder = tempfile.mkdtemp(prefix="appboot-matrix-")
        try:
            pathlib.Path(folder, "children.py").write_text(CHILDREN + "\n")
            steps = [{"command": "RunProcess", "id": "orphans", "with": {
                "arguments": [sys.executable, "-S", "children.py", "orphans", str(options.orphans if number == TERM else 10)]}}]
            pathlib.Path(folder, "commands.json").write_text(json.dumps({"version": 1, "commands": steps}))
            tool = subprocess.Popen(
                ["unshare", "--pid", "--fork", "--mount-proc", options.appboot, "run", "--stay", "--format", "jsonl"],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**os.environ, "APPBOOT_STATE": "", "MATRIX_FOLDER": folder})
            for line in tool.stdout:
                if b'"launchEnded"' in line:
                    break
            first = int(pathlib.Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text())
            if number == TERM:
                zombies = count_zombies(first)
                print(f"first process: {options.orphans} orphans, {zombies} zombies")
                if zombies:
                    failures.append(("first process", "orphans", f"{zombies} zombies"))
            begin = time.monotonic()
            os.kill(first, number)
            try:
                tool.wait(10)
            except subprocess.TimeoutExpired:
                os.kill(first, signal.SIGKILL)
                tool.wait()
            if tool.returncode != code:
                failures.append(("first process", number.name, f"the code is {tool.returncode}, not {code}"))
            print(f"first process: {number.name} ends it after {(time.monotonic() - begin) * 1000:.0f} ms")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return failures


def count_zombies(first):
    """The zombies among the descendants of a process, once the tool had time to reap them."""
    limit = time.monotonic() + 15
    while True:
        parents, zombies = {}, []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                with contextlib.suppress(OSError):
                    stat = pathlib.Path("/proc", entry, "stat").read_text()
                    state, parent = stat[stat.rindex(")") + 2:].split()[:2]
                    parents[int(entry)] = int(parent)
                    if state == "Z":
                        zombies.append(int(entry))
        count = sum(first in itertools.takewhile(bool, ancestors(zombie, parents)) for zombie in zombies)
        if count == 0 or time.monotonic() > limit:
            return count
        time.sleep(0.1)


def ancestors(process, parents):
    while process:
        process = parents.get(process, 0)
        yield process


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("appboot", nargs="?", default=".build/debug/appboot")
    arguments.add_argument("--repetitions", type=int, default=20)
    arguments.add_argument("--offsets", type=int, default=200, help="the number of moments in a start")
    arguments.add_argument("--seed", type=int, help="draw each moment within its part of the start")
    arguments.add_argument("--orphans", type=int, default=10000)
    arguments.add_argument("--only", nargs="+", default=[], help="names of ways and kinds")
    arguments.add_argument("--jobs", type=int, default=8)
    options = arguments.parse_args()
    options.appboot = os.path.abspath(options.appboot)
    # The tool leaves a signal ignored that its parent ignores, as nohup and a shell's background do.
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    failures = run_matrix(options)
    if not options.only:
        if namespaces_work():
            failures += run_first_process(options)
        else:
            print("note: skipped the first process of a namespace: unshare is not permitted here")
    print(f"{len(failures)} failures in {time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

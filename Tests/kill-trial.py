#!/usr/bin/env python3
"""Kills `appboot run` with signal 9 at random moments of a launch of 50 steps, and looks at what is left.

After each kill the journal has to be readable, to name the steps that ran (those whose processes had begun and not
ended), and the next launch has to be right: in safe mode exactly if the launch guard's rule says so.

    Tests/kill-trial.py [APPBOOT] [--kills 100] [--seed N]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

STEPS = 50


def manifest():
    """Fifty steps, mostly one after the other, with stretches that run side by side; each takes about 5 ms."""
    commands = []
    for number in range(STEPS):
        name = f"step{number:02}"
        entry = {
            "command": "RunProcess",
            "id": name,
            "with": {"arguments": ["sh", "-c", f"echo begin >>$TRIAL_LOG/{name}; sleep 0.005; echo end >>$TRIAL_LOG/{name}"]},
            "onFailure": "continue" if number % 2 else "stop",
        }
        if number % 10 in (3, 4):
            entry["after"] = [f"step{number - number % 10 + 2:02}"]
        commands.append(entry)
    return {"version": 1, "name": "Trial", "commands": commands}


class Trial:
    def __init__(self, appboot, directory):
        self.appboot = appboot
        self.directory = directory
        self.state = os.path.join(directory, ".appboot")
        self.launches = 0
        self.torn = 0  # Journals whose last line was cut off.
        self.crashes = []  # The steps that ran at each death since the last healthy launch.
        self.counts = {"before the launch": 0, "between two steps": 0, "in a step": 0, "after the end": 0}
        with open(os.path.join(directory, "commands.json"), "w") as file:
            json.dump(manifest(), file)

    def start(self):
        # A folder for each launch: processes outlive the tool that was killed, and write on.
        self.launches += 1
        self.log = os.path.join(self.directory, f"log-{self.launches}")
        os.makedirs(self.log)
        return subprocess.Popen(
            [self.appboot, "run", "--jobs", "4"], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "APPBOOT_STATE": "", "LC_ALL": "C.UTF-8", "TRIAL_LOG": self.log})

    def kill(self, moment):
        """Kills a boot after so many seconds, or, where the moment is a step's name, when that step has begun."""
        process = self.process = self.start()
        self.moment = moment
        if isinstance(moment, str):
            while process.poll() is None and not os.path.exists(os.path.join(self.log, moment)):
                time.sleep(0.0005)
        else:
            time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        self.output = b"".join(process.communicate()).decode(errors="replace")
        return process.returncode == -signal.SIGKILL

    def journal(self):
        """The whole lines of the journal that was left, each of which has to be JSON; a kill may cut a long write short."""
        path = os.path.join(self.state, "journal.jsonl")
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            data = file.read()
        lines = data.split(b"\n")
        self.torn += lines.pop() != b""
        return [json.loads(line) for line in lines]

    def running(self, events):
        running = []
        for event in events[1:]:
            if event["kind"] == "started":
                running.append(event["step"])
            if event["kind"] == "ended" and event["step"] in running:
                running.remove(event["step"])
        return running

    def check_steps(self, events, running):
        """What the processes themselves wrote must agree with the journal."""
        started = {event["step"] for event in events[1:] if event["kind"] == "started"}
        ended = {event["step"] for event in events[1:] if event["kind"] == "ended"}
        begun = set(os.listdir(self.log))
        for name in begun - started:
            raise self.failure(f"{name} began, and the journal has no event 'started'", name, events)
        for event in events[1:]:
            if event["kind"] != "ended":
                continue
            name = event["step"]
            path = os.path.join(self.log, name)
            text = open(path).read() if os.path.exists(path) else None
            if event["state"] != "succeeded" or text != "begin\nend\n":
                raise self.failure(f"{name} ended in the journal, and its process wrote {text!r}", name, events)
        assert set(running) == started - ended

    def failure(self, problem, name, events):
        """Returns an error with all that is known about a step of the launch that was killed."""
        lines = [json.dumps(event) for event in events[1:] if event.get("step") == name] + [json.dumps(events[-1])]
        return AssertionError(
            f"launch {self.launches}, killed at {self.moment}: {problem}\n" + "\n".join(lines)
            + f"\nprocesses that wrote: {' '.join(sorted(os.listdir(self.log)))}"
            + f"\nexit code {self.process.returncode}, output: {self.output}")

    def expected_safe_mode(self):
        """The guard's rule, written a second time: the same steps in two crashes in a row, and once more for each further one."""
        culprits, suspects, streak = [], [], 0
        for running in self.crashes:
            common = [step for step in suspects if step in running]
            suspects, streak = (common, streak + 1) if common else (running, 1)
            if streak >= 2 and suspects:
                culprits += [step for step in suspects if step not in culprits]
        return culprits

    def after_kill(self):
        events = self.journal()
        if events is None:
            last = sorted(os.listdir(os.path.join(self.state, "records")))[-1:] if os.path.isdir(
                os.path.join(self.state, "records")) else []
            self.counts["after the end" if last else "before the launch"] += 1
            return
        if not events:
            self.counts["before the launch"] += 1
            return
        assert events[0]["format"] == "appboot-journal"
        assert len(events[0]["steps"]) == STEPS
        if events[-1]["kind"] == "launchEnded":
            self.counts["after the end"] += 1
            self.crashes = []
            return
        running = self.running(events)
        self.check_steps(events, running)
        self.counts["in a step" if running else "between two steps"] += 1
        self.crashes.append(running)

    def launch(self):
        """The next launch, to its end: right, and in safe mode exactly if it has to be."""
        culprits = self.expected_safe_mode()
        process = self.start()
        output, errors = (text.decode() for text in process.communicate())
        assert process.returncode == 0, f"the next launch failed: {output}{errors}"
        skipped = [f"step{n:02}" for n in range(STEPS) if f"step{n:02}" in culprits and n % 2]
        lines = [line for line in output.splitlines() if "skipped: safe mode" in line]
        assert [line.split()[1] for line in lines] == sorted(skipped), f"skipped {lines}, expected {skipped}"
        assert ("SAFE MODE" in errors) == bool(culprits), f"expected {culprits}: {errors}"
        assert f"Trial booted in" in output
        assert f"{STEPS - len(skipped)} " in output.splitlines()[-1] or not skipped
        assert not os.path.exists(os.path.join(self.state, "journal.jsonl"))
        self.crashes = []
        return bool(culprits)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("appboot", nargs="?", default=".build/debug/appboot")
    arguments.add_argument("--kills", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="appboot-kill-") as directory:
        trial = Trial(os.path.abspath(options.appboot), directory)
        begin = time.monotonic()
        trial.launch()
        length = time.monotonic() - begin
        kills = safe_launches = 0
        sys.excepthook = lambda *error: (
            sys.__excepthook__(*error), print(f"repeat with: Tests/kill-trial.py {options.appboot} --kills {options.kills} --seed {options.seed}",
                                              file=sys.stderr))
        while kills < options.kills:
            # A third of the moments are in one step twice, so that two crashes in a row are in the same step.
            isTwice = moments.randrange(3) == 0
            moment = f"step{moments.randrange(STEPS):02}" if isTwice else moments.uniform(0, length * 1.02)
            for _ in range(2 if isTwice and kills + 2 <= options.kills else 1):
                if trial.kill(moment):
                    kills += 1
                    trial.after_kill()
                else:
                    trial.crashes = []
                    trial.counts["after the end"] += 1
            safe_launches += trial.launch()
        stored = len(os.listdir(os.path.join(trial.state, "records")))
        assert stored == 20, f"{stored} records are stored"
        print(f"{kills} kills of a launch of {length * 1000:.0f} ms: {trial.counts}; {safe_launches} launches in safe mode after them; {trial.torn} torn last lines")
        print("every journal was readable and right, and so was every next launch")


if __name__ == "__main__":
    sys.exit(main())

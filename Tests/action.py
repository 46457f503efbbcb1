#!/usr/bin/env python3
"""Runs action.yml, the GitHub Action, as a runner does: Tests/action.py APPBOOT

Each case has a repository with a base branch and a change, a shallow checkout of the change, and an empty temporary
folder. The steps with `run` are run with bash, their variables and their inputs. Of the other actions, the cache is
empty, and the upload looks for its files.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
FAST = '{ "name": "shop", "commands": [{ "id": "index", "run": "sleep 0.02" }, { "id": "page", "run": "sleep 0.02" }] }\n'
SLOW = FAST.replace("sleep 0.02", "sleep 0.06", 1)
BROKEN = FAST.replace("sleep 0.02", "exit 3", 1)
INVALID = FAST.replace('"run"', '"rum"', 1)


def git(folder, *arguments):
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


class Runner:
    """A new runner with the checkout of a change."""

    def __init__(self, folder, base, head):
        self.folder, self.temp, self.checkout = folder, folder / "temp", folder / "checkout"
        self.temp.mkdir()
        origin = folder / "origin"
        git(folder, "init", "--quiet", "--initial-branch", "main", str(origin))
        (origin / "README").write_text("shop\n")
        for manifest, branch in ((base, None), (head, "change")):
            if branch:
                git(origin, "checkout", "--quiet", "-b", branch)
            if manifest:
                (origin / "commands.json").write_text(manifest)
            git(origin, "add", "--all")
            git(origin, "commit", "--quiet", "--allow-empty", "--message", "a")
        git(folder, "clone", "--quiet", "--depth", "1", "--branch", "change", origin.as_uri(), str(self.checkout))
        self.outputs, self.path, self.log, self.uploaded = {}, [], "", None

    def value(self, text, inputs, base):
        """A text with the values of its expressions."""
        def expression(match):
            name = match[1].strip()
            known = {"runner.temp": str(self.temp), "runner.os": "Linux", "runner.arch": "X64", "github.base_ref": base,
                     "github.action_repository": ""}
            if name.startswith("inputs."):
                return inputs[name[len("inputs."):]]
            if output := re.fullmatch(r"steps\.(\w+)\.outputs\.([\w-]+)", name):
                return self.outputs[output[1]][output[2]]
            return known[name]
        return re.sub(r"\$\{\{(.*?)\}\}", expression, text)

    def run(self, target="main", **changes):
        """Runs the action, and returns whether it succeeded."""
        inputs = {name: str(value.get("default", "")) for name, value in ACTION["inputs"].items()}
        inputs.update({name.replace("_", "-"): value for name, value in changes.items()})
        succeeded = True
        for number, step in enumerate(ACTION["runs"]["steps"]):
            condition = step.get("if", "")
            if not succeeded and "always()" not in condition:
                continue
            if "inputs.executable == ''" in condition and inputs["executable"]:
                continue
            if "uses" in step:
                if step["uses"].startswith("actions/upload-artifact"):
                    folder = pathlib.Path(self.value(step["with"]["path"], inputs, target))
                    self.uploaded = sorted(path.name for path in folder.glob("*")) if folder.exists() else []
                continue
            files = {name: self.temp / f"{name}-{number}" for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
            for file in files.values():
                file.touch()
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("APPBOOT", "GITHUB"))}
            environment.update({name: self.value(str(value), inputs, target) for name, value in step.get("env", {}).items()})
            environment.update({name: str(file) for name, file in files.items()})
            environment.update(
                RUNNER_TEMP=str(self.temp), GITHUB_ACTIONS="true", CI="true", GITHUB_ACTION_PATH=str(ROOT),
                GITHUB_WORKSPACE=str(self.checkout), GITHUB_STEP_SUMMARY=str(self.temp / "summary.md"),
                GITHUB_SERVER_URL="https://github.com", PATH=":".join([*reversed(self.path), os.environ["PATH"]]))
            result = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.value(step["run"], inputs, target)],
                cwd=self.checkout, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
            self.log += result.stdout + result.stderr
            succeeded = succeeded and result.returncode == 0
            lines = [line.partition("=") for line in files["GITHUB_OUTPUT"].read_text().splitlines()]
            self.outputs[step.get("id", number)] = {name: value for name, _, value in lines}
            self.path += files["GITHUB_PATH"].read_text().splitlines()
        return succeeded

    @property
    def summary(self):
        file = self.temp / "summary.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""


def case(name, base, head, expected, code, text, **options):
    """Runs one case, and prints what it shows. `text` is in the log or in the summary."""
    with tempfile.TemporaryDirectory() as directory:
        runner = Runner(pathlib.Path(directory).resolve(), base, head)
        succeeded = runner.run(**options)
        shown = runner.outputs.get("check", {}).get("exit-code")
        problems = []
        if succeeded != expected:
            problems.append("it succeeded" if succeeded else "it failed")
        if shown != code:
            problems.append(f"the exit code is {shown}")
        if text not in runner.log + runner.summary:
            problems.append(f"{text!r} is not shown")
        if code not in (None, "3") and (runner.uploaded != ["launch.html", "launch.xml"] or not runner.summary):
            problems.append(f"the artifact has {runner.uploaded}, the summary {runner.summary[:80]!r}")
        if problems:
            sys.exit(f"action: {name}: {'; '.join(problems)}\n{runner.log}\n{runner.summary}")
        print(f"ok: {name}")


def main():
    executable = os.path.abspath(sys.argv[1])
    case("an unchanged launch is green", FAST, FAST, True, "0", "check passed", executable=executable)
    case("a slower step is red", FAST, SLOW, False, "5", "index is slower than the base", executable=executable)
    case("a broken step is red and annotated", FAST, BROKEN, False, "1", "::error file=commands.json", executable=executable)
    case("an invalid manifest is red", FAST, INVALID, False, "3", "::error file=commands.json", executable=executable)
    case("a base without a manifest is a smoke test", "", FAST, True, "0", "::notice::main has no", executable=executable)
    case("a push compares nothing", FAST, FAST, True, "0", "check passed", target="", executable=executable)
    case("options reach check", FAST, SLOW, True, "0", "check passed", executable=executable,
         options="--skip 'index'")
    case("the base is built first", FAST, FAST, False, None, "no build today", executable=executable,
         prepare_base="echo no build today; exit 1")
    print("action: 8 cases")


if __name__ == "__main__":
    main()

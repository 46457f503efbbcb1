#!/usr/bin/env python3
"""Runs a static appboot in a directory that holds nothing else: no /proc, /dev, /tmp, shell, curl or name server.

    Tests/scratch.py [APPBOOT]        by default .build/static/appboot, from Scripts/release

Subcommands and steps that need none of these succeed. The others fail with the right exit code, and name what is
missing. The test needs Linux, and root or user namespaces; without them it is skipped.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATH = "/usr/sbin:/usr/bin:/sbin:/bin:/"
ENTER = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]


class Root:
    """A directory with appboot, which runs there."""

    def __init__(self, path, appboot):
        self.path = pathlib.Path(path)
        self.checks = 0
        shutil.copy(appboot, self.path / "appboot")

    def start(self, *arguments, **variables):
        """Returns the exit code, and both streams in one text."""
        process = subprocess.run(
            [*ENTER, str(self.path), "/appboot", *arguments], env={"PATH": PATH, **variables}, text=True, timeout=60,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return process.returncode, process.stdout

    def expect(self, code, *words, run, **variables):
        """Fails unless appboot exits with the code and prints the words."""
        found, text = self.start(*run.split(), **variables)
        missing = [word for word in words if word not in text]
        if found != code or missing:
            sys.exit(f"FAILED: appboot {run}: exit code {found}, expected {code}; not printed: {missing}\n{text}")
        self.checks += 1

    def manifest(self, *entries):
        """Writes the manifest with these entries. Each is a name and parameters, or an entry."""
        commands = [{"command": entry[0], "with": entry[1]} if isinstance(entry, tuple) else entry for entry in entries]
        text = json.dumps({"version": 1, "name": "scratch", "commands": commands})
        (self.path / "commands.json").write_text(text, encoding="utf-8")

    def fails(self, *words, entry, code=1):
        """Fails unless a launch of one entry fails with the words."""
        self.manifest(entry)
        self.expect(code, *words, run="run")


def alone(root):
    """Runs subcommands and steps that need no other file."""
    root.expect(0, "appboot", run="version")
    root.expect(0, "wrote commands.json", run="init --template container")
    root.expect(0, "valid", run="validate")
    root.expect(0, "web (RunService)", run="list")
    root.expect(0, "RunService", run="commands")
    root.expect(4, "there is no record", run="report")
    root.expect(0, '"." exists', "booted", "appboot 0", run="run --only database -- appboot version")
    root.expect(0, "booted", run="report")
    root.expect(4, "last launch", "booted", run="status")
    root.expect(0, "1 launch", run="history")
    root.manifest({"command": "WaitFor", "id": "a", "with": {"file": "."}}, {"command": "Say", "with": {"text": "up"}})
    root.expect(0, "up", "booted", run="run --jobs 4")


def missing(root):
    """Runs steps that need a program, a device, a directory or a name server."""
    root.fails('there is no program "sh" in PATH: install it, or use "arguments"', entry={"run": "echo hello"})
    root.fails('there is no program "absent" in PATH: install it', entry=("RunProcess", {"arguments": ["absent"]}))
    root.fails('there is no program "/absent"', entry=("RunProcess", {"arguments": ["/absent"]}))
    root.fails('"sh" is not in PATH: install it', code=4, entry=("CheckEnvironment", {"programs": ["sh"]}))
    root.fails("install curl", code=4, entry=("WaitFor", {"http": "https://example.org"}))
    for condition in ({"tcp": "no-such-host.invalid:80"}, {"http": "http://no-such-host.invalid"}):
        wait = {"command": "WaitFor", "id": "server", "timeout": "1s", "with": condition}
        root.fails('no address for the name "no-such-host.invalid"', entry=wait)
    device = 'cannot start "/appboot" without the device "/dev/null"'
    itself = ["/appboot", "version"]
    root.fails(device, entry=("RunProcess", {"arguments": itself}))
    root.fails(device, entry=("RunService", {"arguments": itself, "ready": {"output": "never"}}))
    root.manifest(("RunProcess", {"arguments": itself, "user": "app"}))
    root.expect(4, 'there is no user "app"', run="run")

    root.manifest({"command": "WaitFor", "id": "a", "with": {"file": "."}})
    root.expect(4, 'there is no program "/absent"', run="run -- /absent")
    root.expect(0, "continuing without recording this launch", "booted", run="run --state /appboot/state")
    root.expect(4, "there is no history", run="history --state /appboot/state")
    root.expect(4, '"xdg-open" cannot be started', "--output", run="report --format html --open")
    root.expect(4, 'TMPDIR selects where) in "/tmp"', run="check --runs 2")
    root.expect(4, "without the device", run="check --runs 2", TMPDIR="/")


def with_null_device(root):
    """Starts programs with a /dev/null. It is a plain file, because only the machine's root can make devices."""
    (root.path / "dev").mkdir()
    (root.path / "dev/null").touch()
    root.manifest(("RunProcess", {"arguments": ["/appboot", "version"]}))
    root.expect(0, "booted", run="run")
    root.expect(0, run="check --runs 2", TMPDIR="/")
    (root.path / "etc").mkdir()
    (root.path / "etc/passwd").write_text("app:x:1:1::/:/\n", encoding="utf-8")
    root.path.chmod(0o755)
    settings = {"arguments": ["/appboot", "version"], "limits": {"core": 0}, "umask": "077"}
    root.manifest(("RunProcess", {**settings, "user": "app"} if os.geteuid() == 0 else settings))
    root.expect(0, "booted", run="run")
    stay = json.dumps({"version": 1, "commands": [{"command": "Say", "with": {"text": "up"}}]})
    (root.path / "stay.json").write_text(stay, encoding="utf-8")
    root.manifest({
        "command": "RunService", "id": "web", "with": {
            "arguments": ["/appboot", "run", "stay.json", "--stay", "--state", "/stay"],
            "ready": {"output": "booted"}}})
    root.expect(0, "web", "booted", run="run --then-stop")
    script = root.path / "script"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    script.chmod(0o755)
    root.fails('the interpreter of "/script" does not exist', entry=("RunProcess", {"arguments": ["/script"]}))
    dynamic = pathlib.Path("/bin/true")
    if dynamic.exists() and b"/ld-" in dynamic.read_bytes()[:4096]:
        shutil.copy(dynamic, root.path / "dynamic")
        root.fails("or link it statically", entry=("RunProcess", {"arguments": ["/dynamic"]}))


def outside(root, appboot):
    """Looks up a user on this machine, whose nsswitch.conf may name libraries that crash a static glibc."""
    root.manifest(("RunProcess", {"arguments": ["true"], "user": "no-such-user"}))
    call = [os.path.abspath(appboot), "run", "--no-state", str(root.path / "commands.json")]
    code = subprocess.run(call, stderr=subprocess.DEVNULL, check=False).returncode
    if code != 4:
        sys.exit(f"FAILED: an unknown user on this machine: exit code {code}, expected 4")


def main():
    appboot = sys.argv[1] if len(sys.argv) > 1 else ".build/static/appboot"
    os.environ["PATH"] += os.pathsep + PATH
    # A temporary directory may forbid executables.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(appboot))) as path:
        if not shutil.which(ENTER[0]) or subprocess.run([*ENTER, "/", "true"], check=False).returncode != 0:
            subprocess.run([appboot, "--version"], check=True)
            print("note: only --version was run: this system refuses chroot and user namespaces")
            return
        root = Root(path, appboot)
        alone(root)
        missing(root)
        with_null_device(root)
        outside(root, appboot)
        print(f"{root.checks} calls of appboot alone in a directory did what they should")


if __name__ == "__main__":
    main()

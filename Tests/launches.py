"""The shared parts of the trials of launches: a folder with a manifest, calls of the tool in it, and the search for
processes that are left. Linux only, because it finds processes in /proc."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

PATIENCE = 60.0  # The seconds after which a wait for a condition fails.


class Failure(Exception):
    """An expectation that does not hold."""


def processes(marker):
    """The processes whose arguments or environment have the marker, without zombies."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            stat = pathlib.Path("/proc", entry, "stat").read_bytes()
            if stat[stat.rindex(b")") + 2:][:1] in b"ZX":
                continue
            texts = pathlib.Path("/proc", entry, "cmdline").read_bytes()
            with contextlib.suppress(PermissionError):
                texts += pathlib.Path("/proc", entry, "environ").read_bytes()
            if marker.encode() in texts:
                found.append(int(entry))
    return found


def kill_processes(marker):
    """Kills the processes with the marker, including those that they start meanwhile."""
    for _ in range(100):
        found = processes(marker)
        for process in found:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        if not found:
            return
        time.sleep(0.01)


class Launch:
    """A folder with a manifest and files, in which the tool is called. All its processes have the marker."""

    def __init__(self, appboot, commands, files=(), environment=(), **members):
        self.appboot = appboot
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="appboot-trial-"))
        self.marker = f"APPBOOT_TRIAL={self.folder.name}"
        names = ("PATH", "HOME", "LANG")
        self.environment = {name: os.environ[name] for name in names if name in os.environ}
        self.environment.update({"LC_ALL": "C.UTF-8", "APPBOOT_TRIAL": self.folder.name}, **dict(environment))
        (self.folder / "commands.json").write_text(json.dumps({"name": "Trial", "commands": commands, **members}))
        for name, text in dict(files).items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        self.calls = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        for call in self.calls:
            call.abandon()
        kill_processes(self.marker)
        if isinstance(error, Failure):
            error.args = (f"{error}\n" + "\n".join(call.transcript() for call in self.calls),)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *arguments, on_terminal=False, **environment):
        """Starts the tool, and returns without waiting for it."""
        call = Call(self, arguments, environment, on_terminal)
        self.calls.append(call)
        return call

    def call(self, *arguments, code=0, **environment):
        """Calls the tool, and expects its exit code, as Popen gives it."""
        return self.start(*arguments, **environment).end(code)

    def exists(self, name):
        return (self.folder / name).exists()

    def read(self, name):
        """The text of a file, or an empty text if there is no file."""
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / name).read_text(errors="replace")
        return ""

    def expect_nothing_left(self):
        """Expects that each process of the launch has ended."""
        limit = time.monotonic() + 1
        while left := processes(self.marker):
            if time.monotonic() > limit:
                raise Failure(f"{len(left)} processes are left")
            time.sleep(0.01)


class Call:
    """A call of the tool, whose output is read while it runs."""

    def __init__(self, launch, arguments, environment, on_terminal):
        self.arguments = arguments
        master, slave = os.openpty() if on_terminal else (None, subprocess.PIPE)
        self.texts = {"output": bytearray(), "errors": bytearray()}
        self.process = subprocess.Popen(
            [launch.appboot, *arguments], cwd=launch.folder, env={**launch.environment, **environment},
            stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE)
        if on_terminal:
            os.close(slave)
        streams = {"output": os.fdopen(master, "rb", 0) if on_terminal else self.process.stdout, "errors": self.process.stderr}
        self.readers = [threading.Thread(target=self.read, args=stream, daemon=True) for stream in streams.items()]
        for reader in self.readers:
            reader.start()

    def read(self, name, stream):
        # Linux reports the end of a terminal's other side as an error (EIO).
        with stream, contextlib.suppress(OSError):
            while chunk := os.read(stream.fileno(), 1 << 16):
                self.texts[name] += chunk

    @property
    def output(self):
        return self.texts["output"].decode(errors="replace")

    @property
    def errors(self):
        return self.texts["errors"].decode(errors="replace")

    def wait_until(self, is_reached, what):
        """Waits for a condition while the tool runs."""
        limit = time.monotonic() + PATIENCE
        while not is_reached():
            if self.process.poll() is not None and not is_reached():
                raise Failure(f"the tool ended before {what}")
            if time.monotonic() > limit:
                raise Failure(f"never {what}")
            time.sleep(0.002)

    def wait_for_text(self, text):
        self.wait_until(lambda: text in self.output or text in self.errors, f"it printed {text!r}")

    def wait_for_boot(self):
        self.wait_for_text("Trial booted in")

    def send(self, number):
        self.process.send_signal(number)

    def end(self, code):
        """Waits for the end, and expects the code, as Popen gives it."""
        try:
            found = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("the tool does not end") from None
        for reader in self.readers:
            reader.join(5)
        if found != code:
            raise Failure(f"the exit code is {found}, not {code}")
        return self

    def terminate(self, code=0):
        self.send(signal.SIGTERM)
        return self.end(code)

    def abandon(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def transcript(self):
        return f"$ appboot {' '.join(self.arguments)}\n{self.output}{self.errors}(code {self.process.returncode})"

    def expect(self, *texts):
        """Expects each text on standard output or standard error."""
        for text in texts:
            if text not in self.output + self.errors:
                raise Failure(f"the output has no {text!r}")
        return self

    def expect_no(self, *texts):
        for text in texts:
            if text in self.output + self.errors:
                raise Failure(f"the output has {text!r}")
        return self


def expect_equal(found, expected, what):
    if found != expected:
        raise Failure(f"{what} is {found!r}, not {expected!r}")


def expect(holds, what):
    if not holds:
        raise Failure(f"this does not hold: {what}")

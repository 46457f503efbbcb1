#!/usr/bin/env python3
"""Runs launches that other process managers got wrong, and checks what their users expected.

Each case is a function with its manifest and programs. It checks the exit code, the messages and the files, and that no
process is left. Most cases come from issues of other projects.

    Tests/cases.py [APPBOOT] [--only NAME ...] [--jobs 4]

It needs Linux.
"""

import argparse
import concurrent.futures
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from launches import Failure, Launch, expect, expect_equal

# Ends half a second after TERM, and leaves the file "flushed". By then, the reader of its standard output may have
# ended, if that is a pipeline.
SERVER = """#!/bin/sh
trap 'echo stopping >&2; sleep 0.5; echo flushed >&2; : >flushed; exit 0' TERM
echo listening
: >up
while :; do sleep 0.02; done
"""


def step(run, **members):
    return {"id": "a", "run": run, **members}


def process(*arguments, entry=(), **parameters):
    return {"command": "RunProcess", "id": "a", **dict(entry), "with": {"arguments": list(arguments), **parameters}}


def service(*arguments, entry=(), **parameters):
    return {"command": "RunService", "id": "web", **dict(entry), "with": {"arguments": list(arguments), **parameters}}


def colours_lost(appboot):
    """A program keeps its colours if the tool prints colours, but not its sequences that move the cursor."""
    script = r"printf '\033[2K\033[32mgreen\033[0m\n'; exec sleep 600"
    colour, plain = "\x1b[32mgreen\x1b[0m", "web | green\n"

    def printed(*arguments, on_terminal=False, **environment):
        with Launch(appboot, [service("sh", "-c", script)]) as launch:
            call = launch.start("run", *arguments, on_terminal=on_terminal, **environment)
            call.wait_for_text("green")
            logs = launch.start("logs", "web", *arguments, on_terminal=on_terminal, **environment).end(0)
            call.terminate()
            launch.expect_nothing_left()
            for text in (call.output, logs.output):
                # On a terminal the tool itself erases the rows of its live view.
                expect(on_terminal or "\x1b[2K" not in text, "the output has no sequence that erases a line")
            return call.output, logs.output.replace("\r\n", "\n")

    terminal = {"on_terminal": True, "TERM": "xterm"}
    for arguments, environment in ((["--color", "always"], {}), ([], {"FORCE_COLOR": "1"}), ([], terminal)):
        run, logs = printed(*arguments, **environment)
        expect(colour in run, f"run keeps the colour with {arguments or environment}")
        expect_equal(logs, colour + "\n", f"the log with {arguments or environment}")
    for arguments in ([], ["--color", "never"]):
        run, logs = printed(*arguments)
        expect(plain in run and "\x1b" not in run, f"run prints no colour with {arguments}")
        expect_equal(logs, "green\n", f"the log with {arguments}")


def detached_killed(appboot):
    """A daemon that a step started gets its grace period when a later step fails."""
    daemon = "setsid sh server.sh >daemon.log 2>&1 & until [ -e up ]; do sleep 0.01; done"
    with Launch(appboot, [step(daemon), {"id": "later", "run": "exit 1"}], {"server.sh": SERVER}) as launch:
        launch.call("run", code=1).expect('later failed', '"sh" exited with code 1, expected 0, and printed nothing')
        # The shell may also report that its sleep was terminated.
        lines = [line for line in launch.read("daemon.log").splitlines() if line != "Terminated"]
        expect_equal(lines, ["listening", "stopping", "flushed"], "the output of the daemon")
        expect(launch.exists("flushed"), "the daemon gets its grace period")
        launch.expect_nothing_left()


def probe_surroundings(appboot):
    """A program of ready runs in the directory and with the environment of its service."""
    probe = 'echo "PGPORT=$PGPORT in $PWD" >seen; test -f ready'
    database = service("sh", "-c", "touch ready; exec sleep 600", directory="sub", environment={"PGPORT": "5433"},
                       ready={"command": ["sh", "-c", probe]}, entry={"timeout": "50s"})
    with Launch(appboot, [database]) as launch:
        (launch.folder / "sub").mkdir()
        launch.call("run", "--then-stop").expect("Trial booted in")
        expect_equal(launch.read("sub/seen"), f"PGPORT=5433 in {os.path.realpath(launch.folder)}/sub\n", "what the program saw")
        expect(not launch.exists("seen"), "the directory of the manifest has no file of the program")
        launch.expect_nothing_left()


def progress_crowds_out_error(appboot):
    """A progress bar counts as one line of a failure, so the failure also shows the error before it."""
    script = ("echo 'ERROR: manifest unknown'; i=0; while [ $i -lt 40 ]; do i=$((i+1)); "
              "printf '\\rdownloading %d/40' $i; done; echo; exit 1")
    with Launch(appboot, [step(script)]) as launch:
        launch.call("run", code=1).expect(
            '"sh" exited with code 1, expected 0, after this output:\n    ERROR: manifest unknown\n    downloading 40/40\n'
        ).expect_no("39/40", "last 20 lines")
        expect_equal(launch.call("logs", "a").output, "ERROR: manifest unknown\ndownloading 40/40\n", "the log")


def proxy_loopback(appboot):
    """A request to this machine ignores the proxy, as readiness checks do."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        port = server.server_port
        urls = {"numbers": f"http://127.0.0.1:{port}/", "name": f"http://localhost:{port}/"}
        steps = [{"command": "WaitFor", "id": "ready", "timeout": "50s", "with": {"http": urls["numbers"]}}]
        steps += [{"command": "HTTPRequest", "id": name, "timeout": "50s", "with": {"url": url}} for name, url in urls.items()]
        # No server listens at port 9.
        proxy = "http://127.0.0.1:9"
        with Launch(appboot, steps, environment={"http_proxy": proxy, "all_proxy": proxy, "ALL_PROXY": proxy}) as launch:
            call = launch.call("run")
            expect_equal(call.output.count("answered 204"), 3, "the number of answers")
    finally:
        server.shutdown()
        server.server_close()


def ready_output_ansi(appboot):
    """The pattern of ready matches the text of a line as a terminal shows it."""
    lines = {
        "http://localhost:5173/":
            (r"  \033[32m➜\033[39m  Local:   \033[36mhttp://localhost:\033[1m5173\033[22m/\033[39m\n",
             'it printed "  ➜  Local:   http://localhost:5173/"'),
        # A word of letters has to be a whole word. The sequence before it ends in a letter.
        "listening": (r"\033[32mlistening\033[39m on 80\n", 'it printed "listening on 80"'),
    }
    for pattern, (line, message) in lines.items():
        vite = service("sh", "-c", f"printf '{line}'; exec sleep 600", ready={"output": pattern}, entry={"timeout": "50s"})
        with Launch(appboot, [vite]) as launch:
            launch.call("run", "--then-stop").expect(message)
            launch.expect_nothing_left()


def restart_hangs(appboot):
    """A restarted service that is not ready within the timeout of its entry counts as failed."""
    script = 'if [ -e second ]; then echo starting; exec sleep 600; fi; : >second; echo ready; exit 1'
    hangs = service("sh", "-c", script, ready={"output": "ready"}, entry={"timeout": "3s"},
                    restart={"when": "onFailure", "backoff": "1ms", "attempts": 2})
    with Launch(appboot, [hangs]) as launch:
        begin = time.monotonic()
        call = launch.call("run", code=1).expect(
            "Trial booted in", "warning: web exited with code 1; restarting in 1.0 ms",
            'warning: web was not ready within 3s: no line of its output matches "ready"; restarting in 2.0 ms',
            'error: web was not ready within 3s: no line of its output matches "ready"; after 2 restarts',
            '"restart.attempts" allows no more; stopping the app')
        expect(time.monotonic() - begin >= 6, "each restart has its timeout")
        expect_equal(call.output.count("web | starting\n"), 2, "the number of restarts")
        launch.call("status", code=4).expect("ended (was not ready within 3s").expect_no("starting for")
        launch.expect_nothing_left()


def restart_wrong_reason(appboot):
    """Each warning and status names the reason why this restart failed, not the reason for the first restart."""
    missing = 'could not be started again: there is no program "./program.sh"'

    def gone(backoff, attempts):
        # The program removes itself, as a build does that replaces it.
        program = '#!/bin/sh\necho ready\nrm "$0"\nexit 1\n'
        entry = service("./program.sh", ready={"output": "ready"},
                        restart={"when": "onFailure", "backoff": backoff, "attempts": attempts})
        return Launch(appboot, [entry], {"program.sh": program})

    with gone("1ms", 3) as launch:
        launch.call("run", code=1).expect(
            "warning: web exited with code 1; restarting in 1.0 ms", f"warning: web {missing}; restarting in 2.0 ms",
            f"warning: web {missing}; restarting in 4.0 ms", f"error: web {missing}; after 3 restarts"
        ).expect_no("exited with code 1; restarting in 2.0 ms")
    with gone("50ms", 20) as launch:
        call = launch.start("run")
        call.wait_for_text("restarting in 800 ms")
        call.wait_until(lambda: f"restarting ({missing})" in launch.start("status").end(0).output, "status named the reason")
        call.terminate()
        launch.expect_nothing_left()


def second_launch_silent(appboot):
    """A second launch is refused while an app uses the same directory, so services do not run twice."""
    with Launch(appboot, [service("sh", "-c", "echo $$ >>starts; exec sleep 600")]) as launch:
        first = launch.start("run")
        first.wait_for_boot()
        first.wait_until(lambda: launch.read("starts"), "the service started")
        for arguments in ([], ["--then-stop"]):
            launch.call("run", *arguments, code=4).expect(
                "error: an app is already running with the state directory", "`appboot down` stops it")
        expect_equal(len(launch.read("starts").splitlines()), 1, "the number of starts")
        launch.call("status", "--ready")
        first.terminate()
        launch.expect_nothing_left()


def shell_wrapped_stop(appboot):
    """A program behind a shell gets its grace period, even if the shell ends at the signal."""
    wrappers = {
        "alone": ["sh", "server.sh"], "after cd": ["sh", "-c", "cd . && sh server.sh"],
        "in a pipeline": ["sh", "-c", "sh server.sh | cat >/dev/null"],
        "behind a wait": ["sh", "-c", "sh server.sh & wait"],
    }

    def flushes(name, entry, code, end):
        with Launch(appboot, [entry], {"server.sh": SERVER}) as launch:
            call = launch.start("run")
            call.wait_until(lambda: launch.exists("up"), "the program ran")
            end(call)
            call.end(code)
            expect(launch.exists("flushed"), f"a program {name} gets its grace period")
            call.expect_no("needed KILL", "was killed by SIGKILL")
            launch.expect_nothing_left()

    def terminate(call):
        call.send(signal.SIGTERM)

    for name, arguments in wrappers.items():
        flushes(f"{name} after a timeout", process(*arguments, entry={"timeout": "3s"}), 1, lambda _: None)
        flushes(f"{name} after TERM", process(*arguments), -signal.SIGTERM, terminate)
        ready = {"file": "up"}
        flushes(f"{name} in a service", service(*arguments, ready=ready, stop={"grace": "10s"}), 0,
                lambda call: (call.wait_for_boot(), terminate(call)))


def stdin_watcher(appboot):
    """The message about a watcher that ends with its input names the remedy, and with the remedy it keeps running."""
    with Launch(appboot, [service("cat")]) as launch:
        launch.call("run", code=1).expect(
            "error: web exited with code 0; if it exits when its standard input ends, as some watchers do, "
            'set "stdin" to "open"')
        launch.expect_nothing_left()
    with Launch(appboot, [service("cat", stdin="open")]) as launch:
        call = launch.start("run")
        call.wait_for_boot()
        launch.call("status", "--ready")
        # The end by the signal shows that its input did not end.
        call.terminate().expect("web has stopped (was killed by SIGTERM)").expect_no("exited with code 0")
        launch.expect_nothing_left()


def task_interrupt(appboot):
    """A step gets its own signal and grace period at Control-C, and a step that needed KILL is reported."""
    program = "#!/bin/sh\ntrap 'sleep 2.5; rm lock; echo released; exit 1' INT\n: >lock\n: >up\nwhile :; do sleep 0.02; done\n"
    polite = process("./apply.sh", stop={"signal": "INT", "grace": "15s"})
    stubborn = process("sh", "-c", "trap '' TERM; : >up; while :; do sleep 0.02; done", stop={"grace": "100ms"})
    for entry in (polite, stubborn):
        with Launch(appboot, [entry], {"apply.sh": program}) as launch:
            call = launch.start("run")
            call.wait_until(lambda: launch.exists("up"), "the program ran")
            call.send(signal.SIGINT)
            call.end(-signal.SIGINT).expect("it was cancelled after")
            if entry is polite:
                # The grace of other steps is 2 s.
                expect(not launch.exists("lock"), "the step removes its lock")
                expect_equal(launch.call("logs", "a").output, "released\n", "the log")
            killed = "of its stop signal, and was killed"
            call.expect_no(killed) if entry is polite else call.expect(killed)
            launch.expect_nothing_left()


def timeout_hides_last_line(appboot):
    """Each report of a step that timed out shows the unfinished line at which the step hung."""
    hint = 'it waits after printing "Waiting for cache lock... "'
    for before, log in (("echo start; ", "start\n"), ("", "")):
        with Launch(appboot, [step(f"{before}printf 'Waiting for cache lock... '; exec sleep 600", timeout="4s")]) as launch:
            launch.call("run", code=1).expect("timed out after 4s", hint)
            expect_equal(launch.call("logs", "a").output.rstrip("\n"), log + "Waiting for cache lock... ", "the log")
            record = json.loads(launch.call("report", "--format", "json").output)
            expect_equal(record["steps"][0]["failure"]["causes"], [hint], "the cause in the record")
            launch.call("report", "--format", "junit").expect("Waiting for cache lock... ")
            launch.expect_nothing_left()


# A server that answers with the number of its start, and exits with code 3 after a request for /crash.
PYTHON_SERVER = """import http.server, os, sys
open("starts-" + sys.argv[1], "a").write("x")
start = os.path.getsize("starts-" + sys.argv[1])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(start).encode())
        if self.path == "/crash":
            self.wfile.flush()
            os._exit(3)
    def log_message(self, *arguments): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


def python_server(name, entry=(), **parameters):
    return service(sys.executable, "server.py", name, entry={"id": name, "timeout": "30s", **dict(entry)},
                   port={"from": 21000}, ready="http://127.0.0.1:{port}/", **parameters)


def ports(launch):
    """The port of each service."""
    return {each["id"]: each["port"] for each in json.loads(launch.call("status", "--format", "json").output)["services"]}


def get(port, path="/"):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return answer.read().decode()


def crash_unnoticed(appboot):
    """Handlers learn of each restart, of its success and of the last failure, and a handler that fails harms nothing."""
    line = 'echo "$APPBOOT_SERVICE, $APPBOOT_SERVICE_REASON, $APPBOOT_SERVICE_EXIT_CODE" >>'
    only = {"when": {"environment": {"APPBOOT_SERVICE": "web"}}}
    handlers = {
        event: [{"id": event, "run": f"{line}{event}; exit {code}", **only}]
        for event, code in (("serviceReady", 7), ("serviceRestarted", 0), ("serviceFailed", 0), ("serviceStopped", 0))
    }
    crashing = python_server("web", restart={"when": "onFailure", "backoff": "1ms", "attempts": 2, "resetAfter": "1h"})
    with Launch(appboot, [crashing, python_server("other")], {"server.py": PYTHON_SERVER}, on=handlers) as launch:
        call = launch.start("run")
        call.wait_for_boot()
        port = ports(launch)
        for start in (1, 2, 3):
            launch.call("wait", "web", "--timeout", "30s")
            expect_equal(get(port["web"], "/crash"), str(start), "the answer")
            count = min(start, 2)
            call.wait_until(lambda: launch.read("serviceRestarted").count("\n") == count, "it restarted")
            if start < 3:
                call.wait_until(lambda: launch.read("serviceReady").count("\n") == start + 1, "it was ready again")
        call.end(1).expect("serviceReady failed", "error: web exited with code 3; after 2 restarts")
        expect_equal(launch.read("serviceReady").splitlines()[0], "web, , ", "the first start")
        expect_equal(launch.read("serviceRestarted"), "web, exited with code 3, 3\n" * 2, "the restarts")
        expect_equal(launch.read("serviceFailed").count("web, exited with code 3; after 2 restarts"), 1, "the failure")
        expect_equal(launch.read("serviceStopped"), "", "the events at the end of the app")
        expect_equal(launch.read("starts-other"), "x", "the starts of the other server")
        launch.expect_nothing_left()


def checkouts_collide(appboot):
    """Two copies of a checkout boot at the same time, and each keeps its ports after a restart."""
    entries = [python_server("web"), python_server("api")]
    with Launch(appboot, entries, {"server.py": PYTHON_SERVER}) as one:
        with Launch(appboot, entries, {"server.py": PYTHON_SERVER}) as other:
            calls = [one.start("run"), other.start("run")]
            for call in calls:
                call.wait_for_boot()
            first, second = ports(one), ports(other)
            expect_equal(len({*first.values(), *second.values()}), 4, "the number of different ports")
            one.call("restart", "web")
            expect_equal(ports(one), first, "the ports after a restart")
            expect_equal([get(first["web"]), get(second["web"])], ["2", "1"], "the answers")
            for launch, call in zip((one, other), calls):
                call.terminate()
                launch.expect_nothing_left()


def watch_restarts_too_often(appboot):
    """A checkout of a branch and a file that an editor replaces are one restart each, and an editor's own files none."""
    files = {"server.py": PYTHON_SERVER, ".gitignore": "/starts-*\n/.appboot\n"}
    entry = python_server("web", watch={"files": ["src", "server.py"], "quiet": "200ms"})
    with Launch(appboot, [entry], files) as launch:
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], cwd=launch.folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def write(name, text):
            path = launch.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

        git("init", "-b", "main", ".")
        for number in range(300):
            write(f"src/a{number % 10}/{number}.py", "main")
        git("add", ".")
        git("commit", "-m", "main")
        git("checkout", "-b", "feature")
        for number in range(0, 300, 2):
            write(f"src/a{number % 10}/{number}.py", "feature")
        git("rm", "-r", "src/a1")
        git("commit", "-a", "-m", "feature")
        call = launch.start("run")
        call.wait_for_boot()

        def restarts(number, what):
            call.wait_until(lambda: call.errors.count("web is ready again") == number, what)
            expect_equal(len(launch.read("starts-web")), number + 1, f"the starts after {what}")

        git("checkout", "main")
        restarts(1, "the first checkout")
        git("checkout", "feature")
        restarts(2, "the second checkout")
        for name in ("src/.#a.py", "src/4913", "src/a.py~", "src/.a.py.swp", "src/a.py___jb_tmp___"):
            write(name, "x")
        write("src/a.tmp~", "new")
        os.replace(launch.folder / "src/a.tmp~", launch.folder / "src/a0/0.py")
        restarts(3, "a file was replaced")
        call.expect("web: src/a0/0.py changed; restarting")
        call.terminate()
        launch.expect_nothing_left()


CASES = [
    checkouts_collide, colours_lost, crash_unnoticed, detached_killed, probe_surroundings, progress_crowds_out_error,
    proxy_loopback, ready_output_ansi, restart_hangs, restart_wrong_reason, second_launch_silent, shell_wrapped_stop,
    stdin_watcher, task_interrupt, timeout_hides_last_line, watch_restarts_too_often,
]


def name(case):
    return case.__name__.replace("_", "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("appboot", nargs="?", default=".build/release/appboot")
    parser.add_argument("--only", nargs="+", default=[], choices=[name(case) for case in CASES])
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    appboot = os.path.abspath(options.appboot)
    # The tool leaves a signal ignored that its parent ignores.
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    cases = [case for case in CASES if not options.only or name(case) in options.only]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, done in [(case, pool.submit(case, appboot)) for case in cases]:
            try:
                done.result()
                print(f"passed  {name(case):26} {case.__doc__}", flush=True)
            except Exception as failure:  # A case that cannot be judged has failed, and the others go on.
                failures += 1
                print(f"FAILED  {name(case):26} {case.__doc__}\n{failure!r}", flush=True)
    print(f"{len(cases)} cases, {failures} failures in {time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

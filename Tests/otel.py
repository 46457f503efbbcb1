#!/usr/bin/env python3
"""Runs launches that are sent to an OpenTelemetry collector on this machine, and decodes what it receives.

    Tests/otel.py APPBOOT        needs curl and: pip install opentelemetry-proto

The collector is a server of this script. Each request is decoded as an ExportTraceServiceRequest.
"""

import base64
import http.server
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

LIMIT = 30
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def decode(body):
    """The request in OTLP's JSON, whose ids are hexadecimal. Protocol Buffers' JSON has Base64 in their place."""
    def ids(value):
        if isinstance(value, list):
            return [ids(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId", "parentSpanId") else ids(item)
            for key, item in value.items()}
    return json_format.ParseDict(ids(json.loads(body)), trace_service_pb2.ExportTraceServiceRequest())


class Launch:
    """The spans of one request."""

    def __init__(self, path, headers, body):
        self.path, self.headers = path, headers
        [resource] = decode(body).resource_spans
        self.resource = {item.key: item.value.string_value for item in resource.resource.attributes}
        assert len(self.resource) == len(resource.resource.attributes), "two attributes have the same name"
        self.spans = {span.name: span for span in resource.scope_spans[0].spans}
        self.root = resource.scope_spans[0].spans[0]

    def outcome(self):
        return {item.key: item.value.string_value for item in self.root.attributes}["appboot.outcome"]

    def trace_parent(self, name):
        span = self.spans[name]
        return f"00-{span.trace_id.hex()}-{span.span_id.hex()}-01"


class Collector(http.server.ThreadingHTTPServer):
    def __init__(self, port=0):
        self.launches = queue.Queue()
        self.status = 200
        super().__init__(("127.0.0.1", port), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def next(self):
        return self.launches.get(timeout=LIMIT)

    def none(self):
        assert self.launches.empty(), "a launch was sent twice, or one that should not be sent"

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status == 200:
            self.server.launches.put(Launch(self.path, self.headers, body))
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Trial:
    def __init__(self, appboot, directory):
        self.appboot, self.directory = appboot, pathlib.Path(directory)
        self.collector = Collector()
        self.port = self.collector.server_port

    def manifest(self, *commands, **more):
        steps = [{"run": run, "id": name} for name, run in commands]
        (self.directory / "commands.json").write_text(json.dumps({"name": "Trial", "commands": steps, **more}))

    def start(self, *options, **variables):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_") and name not in (
            "APPBOOT_STATE", "APPBOOT_LABELS", "TRACEPARENT", "CI", "TF_BUILD", "JENKINS_URL")}
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.port}"}
        return subprocess.Popen(
            [self.appboot, "run", *options], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**inherited, **endpoint, **variables})

    def run(self, *options, code=0, **variables):
        process = self.start(*options, **variables)
        output = process.communicate(timeout=LIMIT)[0]
        assert process.returncode == code, output
        return output

    def settle(self):
        """Waits until no process sends launches of this trial."""
        deadline = time.monotonic() + LIMIT
        while self.is_sending():
            assert time.monotonic() < deadline, "a process still sends launches"
            time.sleep(0.01)

    def is_sending(self):
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if b"send-traces" in (process / "cmdline").read_bytes() and (process / "cwd").samefile(self.directory):
                    return True
            except OSError:
                pass  # It has ended.
        return False

    def reported(self):
        """The ids of the spans of `report --format otlp`."""
        command = [self.appboot, "report", "--format", "otlp"]
        text = subprocess.run(command, cwd=self.directory, check=True, capture_output=True).stdout
        return {span.span_id for span in decode(text).resource_spans[0].scope_spans[0].spans}

    def text(self, name):
        return (self.directory / name).read_text().strip()


def normal(trial):
    trial.manifest(("first", "echo $TRACEPARENT >first"), ("second", "true"))
    output = trial.run(
        OTEL_SERVICE_NAME="shop", OTEL_RESOURCE_ATTRIBUTES="deployment.environment=a%2Cb,service.name=no",
        APPBOOT_LABELS="version=2.1, region=eu")
    launch = trial.collector.next()
    assert launch.path == "/v1/traces" and launch.headers["Content-Type"] == "application/json"
    assert launch.outcome() == "succeeded" and set(launch.spans) == {"Trial", "first", "second"}, output
    expected = {
        "service.name": "shop", "service.version": "2.1", "region": "eu", "deployment.environment": "a,b",
        "host.name": os.uname().nodename}
    assert expected.items() <= launch.resource.items(), launch.resource
    assert not launch.root.parent_span_id
    assert trial.text("first") == launch.trace_parent("first")
    assert trial.reported() == {span.span_id for span in launch.spans.values()}


def failed(trial):
    trial.manifest(("bad", "exit 3"), ("later", "true"))
    trial.run(code=1)
    launch = trial.collector.next()
    assert launch.outcome() == "failed" and launch.root.status.code == 2
    assert launch.spans["bad"].status.code == 2 and "exited with code 3" in launch.spans["bad"].status.message


def killed(trial):
    trial.manifest(("hangs", "echo $TRACEPARENT >begun; sleep 60"))
    process = trial.start(TRACEPARENT=f"00-{TRACE}-{PARENT}-01")
    deadline = time.monotonic() + LIMIT
    while not (trial.directory / "begun").exists() or not trial.text("begun"):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    trial.manifest(("fine", "true"))
    trial.run()
    lost, next_launch = trial.collector.next(), trial.collector.next()
    assert lost.outcome() == "running" and lost.root.parent_span_id.hex() == PARENT
    assert lost.trace_parent("hangs") == trial.text("begun")
    assert next_launch.outcome() == "succeeded"


def joined(trial):
    trial.manifest(("first", "echo $TRACEPARENT >first"), ("second", "echo $TRACEPARENT >second"))
    trial.run(TRACEPARENT=f"00-{TRACE}-{PARENT}-01")
    launch = trial.collector.next()
    assert launch.root.trace_id.hex() == TRACE and launch.root.parent_span_id.hex() == PARENT
    for name in ("first", "second"):
        assert trial.text(name) == launch.trace_parent(name)
    unsampled = f"00-{TRACE}-{PARENT}-00"
    trial.run(TRACEPARENT=unsampled)
    assert trial.text("first") == unsampled
    trial.settle()
    trial.collector.none()


def down(trial):
    trial.manifest(("fine", "true"))
    trial.collector.stop()
    trial.run("--label", "number=1")
    trial.settle()
    # A server that accepts connections and never answers.
    with http.server.socketserver.TCPServer(("127.0.0.1", trial.port), None, bind_and_activate=False) as silent:
        silent.allow_reuse_address = True
        silent.server_bind()
        silent.server_activate()
        trial.run("--label", "number=2")
        assert trial.is_sending(), "the launch waited for the collector"
    trial.settle()
    trial.collector = Collector(trial.port)
    trial.collector.status = 503
    trial.run("--label", "number=3")
    trial.settle()
    trial.collector.status = 200
    trial.run("--label", "number=4")
    trial.settle()
    trial.run("--label", "number=5")
    numbers = [trial.collector.next().resource["number"] for _ in range(5)]
    assert numbers == ["1", "2", "3", "4", "5"], numbers
    trial.settle()
    assert not (trial.directory / ".appboot/traces.json").exists()


def headers(trial):
    (trial.directory / "bin").mkdir()
    curl = trial.directory / "bin/curl"
    curl.write_text(f'#!/bin/sh\necho "$@" >"{trial.directory}/arguments"\nPATH=${{PATH#*:}} exec curl "$@"\n')
    curl.chmod(0o755)
    trial.manifest(("fine", "true"))
    trial.run(
        OTEL_EXPORTER_OTLP_HEADERS="authorization=Basic%20c2VjcmV0,x-tenant=shop",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=f"http://127.0.0.1:{trial.port}/custom",
        PATH=f"{trial.directory}/bin:{os.environ['PATH']}")
    launch = trial.collector.next()
    assert launch.path == "/custom"
    assert launch.headers["authorization"] == "Basic c2VjcmV0" and launch.headers["x-tenant"] == "shop"
    # Root's curl is not looked up in PATH.
    if os.geteuid() == 0:
        return
    assert "c2VjcmV0" not in trial.text("arguments") and "127.0.0.1" not in trial.text("arguments")


def secrets(trial):
    trial.manifest(("leak", "echo $PASSWORD; exit 1"), secrets=["PASSWORD"])
    trial.run("--label", "key=hunter22", code=1, PASSWORD="hunter22")
    launch = trial.collector.next()
    assert "hunter22" not in str(launch.resource) + str(launch.spans), "a secret was sent"
    assert launch.resource["key"] == "***"


def without_state(trial):
    trial.manifest(("fine", "true"))
    trial.run("--no-state")
    assert trial.collector.next().outcome() == "succeeded"
    assert not (trial.directory / ".appboot").exists()


def with_services(trial):
    (trial.directory / "commands.json").write_text(json.dumps({"name": "Trial", "commands": [
        {"command": "RunService", "id": "web", "with": {"arguments": ["sh", "-c", "echo $TRACEPARENT >web; exec sleep 60"]}}]}))
    process = trial.start()
    launch = trial.collector.next()
    assert launch.outcome() == "succeeded"
    process.terminate()
    process.communicate(timeout=LIMIT)
    assert trial.text("web") == launch.trace_parent("web")


def off(trial):
    trial.manifest(("fine", "echo $TRACEPARENT >seen"))
    for variables in (
        {"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}):
        trial.run(**variables)
        assert trial.text("seen") == ""
    trial.settle()
    trial.collector.none()
    assert not (trial.directory / ".appboot/traces.sent").exists()


def no_curl(trial):
    (trial.directory / "bin").mkdir()
    (trial.directory / "bin/sh").symlink_to("/bin/sh")
    trial.manifest(("fine", "true"))
    path = {"PATH": f"{trial.directory}/bin"}
    assert "curl" not in trial.run(**path)
    assert trial.run("-v", **path).count("curl") == 1
    trial.run()
    for _ in range(3):
        assert trial.collector.next().outcome() == "succeeded"


def main():
    appboot = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/appboot")
    trials = [normal, failed, killed, joined, down, headers, secrets, without_state, with_services, off]
    trials += [no_curl] if os.geteuid() != 0 else []
    for test in trials:
        with tempfile.TemporaryDirectory() as directory:
            trial = Trial(appboot, directory)
            try:
                test(trial)
                trial.settle()
                trial.collector.none()
            except Exception:
                print(f"otel: the trial {test.__name__} failed", file=sys.stderr)
                raise
            finally:
                trial.collector.stop()
    print(f"{len(trials)} trials of sending launches to OpenTelemetry passed")


if __name__ == "__main__":
    main()

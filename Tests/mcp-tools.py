#!/usr/bin/env python3
"""Calls the tools of `appboot mcp` with the official client of the Model Context Protocol.

    Tests/mcp-tools.py APPBOOT

It starts an app with a service in a directory of its own, and restarts the service. Needs `pip install mcp`.
"""
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

MANIFEST = {
    "version": 1,
    "name": "Agent",
    "commands": [
        {"command": "RunProcess", "id": "seed", "with": {"arguments": ["seq", "1", "5000"]}},
        {"command": "RunService", "id": "web", "after": "seed", "with": {"arguments": ["sleep", "600"]}},
    ],
}
READ_TOOLS = ["plan", "validate", "status", "logs", "report", "why", "whatif", "history", "compare"]


def attribute(value, *names):
    """The first of an object's attributes that exists. The client's versions name them differently."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


async def call(session, tool, arguments=None):
    """Calls a tool. Returns its text, and whether it failed."""
    result = await session.call_tool(tool, arguments or {})
    text = result.content[0].text
    assert len(text.encode()) <= 8192, f"{tool}: {len(text.encode())} bytes"
    return text, attribute(result, "isError", "is_error")


async def expect(session, tool, arguments, part):
    """Calls a tool, whose text must contain a part."""
    text, failed = await call(session, tool, arguments)
    assert not failed and part in text, f"{tool} {arguments}: {text}"
    return text


async def refuses(session, tool, arguments, part):
    """Calls a tool, which must be an error of the protocol whose message contains a part."""
    try:
        await session.call_tool(tool, arguments)
    except Exception as error:  # Its class depends on the client's version.
        assert part in str(error), f"{tool} {arguments}: {error}"
        return
    raise AssertionError(f"{tool} {arguments} succeeded")


async def read_log(session):
    """Reads a log page by page. Returns the number of pages."""
    text, offset, pages = "", 0, 0
    while offset is not None:
        page, failed = await call(session, "logs", {"step": "seed", "offset": offset})
        assert not failed, page
        body, mark, note = page.partition("… ")
        text, pages = text + body, pages + 1
        offset = int(note.partition("offset=")[2]) if mark else None
    assert text == "".join(f"{number}\n" for number in range(1, 5001)), "the pages are not the log"
    return pages


async def check(appboot, directory):
    """Calls each tool."""
    manifest = str(directory / "commands.json")
    server = StdioServerParameters(command=appboot, args=["mcp", manifest, "--allow-control"], cwd="/")
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        info = attribute(await session.initialize(), "serverInfo", "server_info")
        assert info.name == "appboot", info
        await session.send_ping()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        assert tools == READ_TOOLS + ["restart", "stop"], tools
        await expect(session, "plan", {}, "web")
        await expect(session, "validate", {}, "valid, 2 commands")
        await expect(session, "status", {}, "web")
        await expect(session, "report", {"format": "markdown"}, "seed")
        await expect(session, "why", {"step": "web"}, "seed")
        await expect(session, "whatif", {"set": ["seed=-50%"]}, "instead of")
        await expect(session, "history", {"last": 1}, "Agent")
        pages = await read_log(session)
        await expect(session, "logs", {"step": "seed", "offset": -10}, "5000")
        record = sorted((directory / ".appboot" / "records").iterdir())[0].name
        await expect(session, "compare", {"base": record, "head": record}, "seed")
        await refuses(session, "compare", {"base": manifest, "head": manifest}, record)
        await expect(session, "restart", {"service": "web"}, "web: ready")
        await expect(session, "stop", {"service": "web"}, "web: stopped")
        await refuses(session, "restart", {}, "service")
        await refuses(session, "run", {}, "unknown tool")
        text, failed = await call(session, "why", {"step": "wbe"})
        assert failed and "web" in text, text
        mistake = json.loads(json.dumps(MANIFEST).replace("RunService", "RunServce"))
        pathlib.Path(manifest).write_text(json.dumps(mistake), encoding="utf-8")
        await expect(session, "validate", {}, 'did you mean "RunService"?')
    print(f"{len(tools)} tools called; a log in {pages} pages")


def main():
    appboot = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "commands.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
        with subprocess.Popen(
                [appboot, "run"], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as app:
            try:
                assert any("booted in" in line for line in app.stdout), "the launch failed"
                asyncio.run(check(appboot, directory))
            finally:
                app.terminate()
                app.stdout.read()


if __name__ == "__main__":
    main()

#!/usr/bin/env bash
# A main lane that never returns: the tool ends all the same, with the right code and a complete record.
# usage: Tests/hung-main-lane.sh PATH-TO-APPBOOT (Linux: what hangs is getchar(3) of the C library, on a pipe that stays empty)
set -euo pipefail
appboot=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/empty"
exec 3<>"$folder/empty"
cat >"$folder/commands.json" <<'END'
{ "version": 1, "timeout": "200ms", "commands": [
  { "command": "InitializeThirdParties",
    "with": { "libraries": [{ "name": "C", "library": "libc.so.6", "initialize": "getchar" }] } },
  "Appearance"
] }
END

# expect CODE OUTCOME COMMAND…: the exit code, the record's outcome, and that every step has an end.
expect() {
  local code=0
  "${@:3}" run "$folder/commands.json" --no-state --record "$folder/record.json" <&3 >/dev/null 2>&1 || code=$?
  [ "$code" = "$1" ] || { echo "exit code $code, not $1"; exit 1; }
  python3 - "$folder/record.json" "$2" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
assert record["outcome"] == sys.argv[2], record["outcome"]
states = [step["state"] for step in record["steps"]]
assert len(states) == 2 and not {"waiting", "ready", "running"} & set(states), states
END
}

expect 124 timedOut "$appboot"
sed -i 's/"timeout": "200ms", //' "$folder/commands.json"
# The read goes on after the signal: handlers are installed so that interrupted calls are restarted.
expect 130 cancelled timeout --preserve-status -s INT 0.5 "$appboot"
echo "a hung main lane ends with its record"

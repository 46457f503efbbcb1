#!/usr/bin/env bash
# A main lane that never returns: the tool ends all the same, with the right code and a complete record.
# usage: Tests/hung-main-lane.sh PATH-TO-APPBOOT (Linux with glibc: what hangs is its getchar(3), on a pipe that stays empty)
set -euo pipefail
appboot=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/empty" "$folder/events"
exec 3<>"$folder/empty"

# manifest MEMBER: a main lane that hangs, and a step behind it.
manifest() {
  cat >"$folder/commands.json" <<END
{ "version": 1, $1 "commands": [
  { "command": "InitializeThirdParties",
    "with": { "libraries": [{ "name": "C", "library": "libc.so.6", "initialize": "getchar" }] } },
  "Appearance"
] }
END
}

run() { exec "$appboot" run "$folder/commands.json" --no-state --record "$folder/record.json" "$@" <&3; }

# expect CODE OUTCOME ACTUAL: the exit code, the record's outcome, and that every step has an end.
expect() {
  [ "$3" = "$1" ] || { echo "exit code $3, not $1"; exit 1; }
  python3 - "$folder/record.json" "$2" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
assert record["outcome"] == sys.argv[2], record["outcome"]
states = [step["state"] for step in record["steps"]]
assert len(states) == 2 and not {"waiting", "ready", "running"} & set(states), states
END
  rm "$folder/record.json"
}

manifest '"timeout": "200ms",'
code=0
(run) >/dev/null 2>&1 || code=$?
expect 124 timedOut "$code"

manifest ''
(run --format jsonl) >"$folder/events" 2>/dev/null &
tool=$!
exec 4<"$folder/events"
while read -r event <&4; do
  case $event in *'"kind":"started"'*) break ;; esac
done
cat <&4 >/dev/null &
# The read goes on after the signal: handlers are installed so that interrupted calls are restarted.
kill -INT "$tool"
code=0
wait "$tool" || code=$?
expect 130 cancelled "$code"
echo "a hung main lane ends with its record"

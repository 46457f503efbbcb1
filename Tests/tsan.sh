#!/bin/sh
# Runs the stress tests under the thread sanitizer; further arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."
swift test --sanitize=thread --scratch-path .build-tsan \
  --filter 'LifecycleStress|AppBootTests.StoreTests|LifecycleTimer|LifecycleHost|CompositeResponder' "$@"

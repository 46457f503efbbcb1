#!/bin/sh
# Runs the stress tests under the thread sanitizer; further arguments go to `swift test`.
# THREAD_SANITIZER puts SanitizedMutex in the place of Synchronization.Mutex, whose futex the sanitizer cannot see on
# Linux; the typealiases for that need members that files do not import themselves.
set -eu
cd "$(dirname "$0")/.."
swift test --sanitize=thread --scratch-path .build-tsan \
  -Xswiftc -DTHREAD_SANITIZER -Xswiftc -disable-upcoming-feature -Xswiftc MemberImportVisibility \
  --filter 'LifecycleStress|AppBootTests.StoreTests|LifecycleTimer|LifecycleHost|CompositeResponder' "$@"

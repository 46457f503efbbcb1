#!/bin/sh
# Type-checks Sources/AppBootUIKit on Linux, against the declarations in Tests/UIKitDeclarations.
# It shows that the bridge is sound Swift and fits those declarations; it runs nothing.
set -eu
cd "$(dirname "$0")/.."
swift build --target AppBoot
modules="$(swift build --show-bin-path)/Modules"
# What the modules were built with, after the folder's name.
package="$(sed -n 's/.*"-package-name","\([^"]*\)".*/\1/p' .build/debug.yaml | head -1)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The declarations of one platform's modules, and then the bridge as that platform sees it.
check() {
  platform="$1" example="$2"
  shift 2
  mkdir "$work/$platform"
  for module in "$@"; do
    swiftc -swift-version 5 -suppress-warnings -parse-as-library -emit-module -module-name "$module" \
      -I "$work/$platform" -o "$work/$platform/$module.swiftmodule" "Tests/UIKitDeclarations/$module.swift"
  done
  # shellcheck disable=SC2086 # No example is no word.
  swiftc -typecheck -swift-version 6 -parse-as-library -module-name AppBootUIKit -package-name "$package" -warnings-as-errors \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -enable-upcoming-feature InternalImportsByDefault \
    -I "$modules" -I "$work/$platform" Sources/AppBootUIKit/*.swift $example
  echo "AppBootUIKit type-checks against the declarations of $*"
}

check ios Tests/UIKitDeclarations/Example/Delegates.swift UIKit UserNotifications
check macos "" AppKit
check watchos "" WatchKit

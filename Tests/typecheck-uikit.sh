#!/bin/sh
# Type-checks Sources/AppBootUIKit on Linux, against the declarations in Tests/UIKitDeclarations.
# It shows that the bridge is sound Swift and fits those declarations; it runs nothing.
set -eu
cd "$(dirname "$0")/.."
swift build --target AppBoot
modules="$(swift build --show-bin-path)/Modules"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
for module in UIKit UserNotifications; do
  swiftc -swift-version 5 -suppress-warnings -parse-as-library -emit-module -module-name "$module" \
    -I "$work" -o "$work/$module.swiftmodule" "Tests/UIKitDeclarations/$module.swift"
done
swiftc -typecheck -swift-version 6 -parse-as-library -module-name AppBootUIKit -warnings-as-errors \
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
  -enable-upcoming-feature InternalImportsByDefault \
  -I "$modules" -I "$work" Sources/AppBootUIKit/*.swift Tests/UIKitDeclarations/Example/*.swift
echo "AppBootUIKit type-checks against the declarations"

// swift-tools-version: 6.2

import PackageDescription

#if canImport(Glibc)
import Glibc
#endif

let package = Package(
  name: "AppBoot",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "appboot", targets: ["AppBootMain"]),
    .library(name: "AppBoot", targets: ["AppBoot"]),
    .library(name: "AppBootCommands", targets: ["AppBootCommands"]),
    .library(name: "AppBootReports", targets: ["AppBootReports"]),
    .library(name: "AppBootTool", targets: ["AppBootTool"]),
    .library(name: "AppBootTestKit", targets: ["AppBootTestKit"]),
    .library(name: "AppBootUIKit", targets: ["AppBootUIKit"]),
  ],
  dependencies: [],
  targets: [
    // Each target imports only what stands below it.
    .executableTarget(
      name: "AppBootMain", dependencies: ["AppBootCommands", "AppBootTool"], exclude: ["Linking"]),
    .target(
      name: "AppBootTool",
      dependencies: ["AppBoot", "AppBootCommands", "AppBootReports", "AppBootSystem"]),
    .target(name: "AppBootReports", dependencies: ["AppBoot", "AppBootSystem"]),
    .target(name: "AppBootCommands", dependencies: ["AppBoot", "AppBootSystem"]),
    // Empty where there is neither UIKit nor AppKit nor WatchKit: Tests/typecheck-uikit.sh checks it on Linux.
    .target(name: "AppBootUIKit", dependencies: ["AppBoot"]),
    .target(name: "AppBootTestKit", dependencies: ["AppBoot", "AppBootSystem"]),
    .target(name: "AppBoot", dependencies: ["AppBootSystem"]),
    .target(name: "AppBootSystem"),

    .testTarget(name: "AppBootSystemTests", dependencies: ["AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootTests", dependencies: ["AppBoot", "AppBootSystem", "AppBootTestKit"],
      exclude: ["Fixtures"]),
    .testTarget(name: "AppBootCommandsTests", dependencies: ["AppBootCommands", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootReportsTests",
      dependencies: ["AppBoot", "AppBootReports", "AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootToolTests",
      dependencies: ["AppBootMain", "AppBootTool", "AppBootCommands", "AppBootTestKit"]),
  ]
)

/// The one set of compiler settings that every target is built with.
func settings() -> [SwiftSetting] {
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

for target in package.targets {
  target.swiftSettings = settings()
}

#if canImport(Glibc)
/// Whether a pattern (glob, POSIX) names a file of this machine.
func isThere(_ pattern: String) -> Bool {
  var found = glob_t()
  defer { globfree(&found) }
  return glob(pattern, 0, nil, &found) == 0
}

// With --static-swift-stdlib a release of the tool takes the C++ runtime along as well, where the machine has it to link: loading
// that is a sixth of a launch (Docs/performance.md). Who depends on this package does not link the tool.
if isThere("/usr/lib*/gcc/*/*/libstdc++.a") {
  package.targets.first { $0.name == "AppBootMain" }?.linkerSettings = [
    .unsafeFlags(
      ["-L\(Context.packageDirectory)/Sources/AppBootMain/Linking", "-Xclang-linker", "-static-libgcc"],
      .when(platforms: [.linux], configuration: .release))
  ]
}
#endif

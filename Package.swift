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
    .library(name: "AppBootLifecycle", targets: ["AppBootLifecycle"]),
    .library(name: "AppBootCommands", targets: ["AppBootCommands"]),
    .library(name: "AppBootReports", targets: ["AppBootReports"]),
    .library(name: "AppBootTool", targets: ["AppBootTool"]),
    .library(name: "AppBootTestKit", targets: ["AppBootTestKit"]),
    .library(name: "AppBootFoundation", targets: ["AppBootFoundation"]),
    .library(name: "AppBootUIKit", targets: ["AppBootUIKit"]),
    .library(name: "AppBootCloudKit", targets: ["AppBootCloudKit"]),
  ],
  dependencies: [],
  targets: [
    // Each target imports only targets below it.
    .executableTarget(name: "AppBootMain", dependencies: ["AppBootCommands", "AppBootTool"]),
    .target(
      name: "AppBootTool",
      dependencies: ["AppBoot", "AppBootCommands", "AppBootLifecycle", "AppBootReports", "AppBootSystem"]),
    .target(name: "AppBootReports", dependencies: ["AppBoot", "AppBootSystem"]),
    .target(name: "AppBootCommands", dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem"]),
    .target(name: "AppBootLifecycle", dependencies: ["AppBoot", "AppBootSystem"]),
    // Empty on Linux, which has no UIKit, AppKit, WatchKit or CloudKit. Tests/AppleStubs runs them there.
    .target(name: "AppBootCloudKit", dependencies: ["AppBootLifecycle", "AppBootUIKit"]),
    .target(name: "AppBootUIKit", dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem"]),
    // The only target that imports Foundation, for its types as parameters. No other target needs it.
    .target(name: "AppBootFoundation", dependencies: ["AppBoot"]),
    .target(name: "AppBootTestKit", dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem"]),
    .target(name: "AppBoot", dependencies: ["AppBootSystem"]),
    .target(name: "AppBootSystem"),

    .testTarget(name: "AppBootSystemTests", dependencies: ["AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootTests", dependencies: ["AppBoot", "AppBootSystem", "AppBootTestKit"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "AppBootLifecycleTests",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem", "AppBootTestKit"]),
    // An app as it is written in a module whose code is on the main actor by default.
    .testTarget(
      name: "AppBootDefaultIsolationTests",
      dependencies: [
        "AppBoot", "AppBootCommands", "AppBootLifecycle", "AppBootSystem", "AppBootTestKit", "AppBootTool",
      ]),
    .testTarget(name: "AppBootCommandsTests", dependencies: ["AppBootCommands", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootFoundationTests", dependencies: ["AppBoot", "AppBootFoundation", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootReportsTests",
      dependencies: ["AppBoot", "AppBootReports", "AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootToolTests",
      dependencies: ["AppBootMain", "AppBootTool", "AppBootCommands", "AppBootTestKit"]),
  ]
)

/// Returns the compiler settings of every target.
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
  if target.name == "AppBootDefaultIsolationTests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
  }
}

#if canImport(Glibc)
/// Returns whether a pattern of `glob` matches a file on this machine.
func exists(_ pattern: String) -> Bool {
  var found = glob_t()
  defer { globfree(&found) }
  return glob(pattern, 0, nil, &found) == 0
}

/// Returns whether `PATH` has a program of this name.
func hasProgram(_ name: String) -> Bool {
  (Context.environment["PATH"] ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
}

// How a release of the tool is linked on Linux. Packages that depend on this one do not use these flags.
// Docs/performance.md has the figures.
// - A release with --static-swift-stdlib links the C++ runtime statically too, if the machine has a static one.
// - If PATH has lld, the functions and data that a launch uses lie side by side, in the order of launch-order.txt, and
//   the executable exports no names. The file may be old: the linker ignores names that are gone.
// - The executable has a fixed address, so that the loader does not write 36,000 pointers at each start.
let linking = "\(Context.packageDirectory)/Scripts/Linking"
var flags: [String] = []
if exists("/usr/lib*/gcc/*/*/libstdc++.a") {
  flags += ["-L\(linking)", "-Xclang-linker", "-static-libgcc"]
}
if hasProgram("ld.lld"), exists("\(linking)/launch-order.txt") {
  let options = [
    "--no-export-dynamic", "--symbol-ordering-file=\(linking)/launch-order.txt", "--no-warn-symbol-ordering",
  ]
  flags += ["-use-ld=lld", "-Xclang-linker", "-no-pie"] + options.flatMap { ["-Xlinker", $0] }
}
if !flags.isEmpty {
  package.targets.first { $0.name == "AppBootMain" }?.linkerSettings = [
    .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
  ]
}
#endif

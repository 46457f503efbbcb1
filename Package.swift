// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "AppBoot",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .executable(name: "appboot", targets: ["AppBootMain"]),
    .library(name: "AppBoot", targets: ["AppBoot"]),
    .library(name: "AppBootRecords", targets: ["AppBootRecords"]),
    .library(name: "AppBootSchema", targets: ["AppBootSchema"]),
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
    .executableTarget(name: "AppBootMain", dependencies: ["AppBootC", "AppBootCommands", "AppBootTool"]),
    .target(
      name: "AppBootTool",
      dependencies: [
        "AppBoot", "AppBootAnalysis", "AppBootCommands", "AppBootLifecycle", "AppBootRecords",
        "AppBootReports", "AppBootSchema", "AppBootSystem",
      ],
      // Scripts/page-files writes them into TemplateFiles.swift and HelpFiles.swift.
      exclude: ["HelpTopics", "Templates"]),
    .target(
      name: "AppBootReports",
      dependencies: ["AppBoot", "AppBootAnalysis", "AppBootBase", "AppBootRecords"],
      // Scripts/page-files writes them into PageFiles.swift.
      exclude: ["Page/page.css", "Page/page.js", "Page/times.js", "Page/pictures.html", "Page/chart.css"]),
    .target(
      name: "AppBootCommands",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootRecords", "AppBootSystem"]),
    .target(name: "AppBootLifecycle", dependencies: ["AppBoot", "AppBootSystem"]),
    // Simulations of launches: predictions, the start order, why a step started when it did.
    .target(name: "AppBootAnalysis", dependencies: ["AppBoot", "AppBootBase", "AppBootRecords"]),
    // Launches as files: the JSON of a record, the journal of a launch that runs, the state directory.
    .target(
      name: "AppBootRecords", dependencies: ["AppBoot", "AppBootLibC", "AppBootSystem"]),
    // The JSON Schema of manifests, for editors, and the warnings about a plan.
    .target(name: "AppBootSchema", dependencies: ["AppBoot", "AppBootBase"]),
    // Empty on Linux, which has no UIKit, AppKit, WatchKit or CloudKit. Tests/AppleStubs runs them there.
    .target(name: "AppBootCloudKit", dependencies: ["AppBootLifecycle", "AppBootUIKit"]),
    .target(
      name: "AppBootUIKit",
      dependencies: ["AppBoot", "AppBootBase", "AppBootLifecycle", "AppBootRecords", "AppBootSystem"]),
    // The only target that imports Foundation, for its types as parameters. No other target needs it.
    .target(name: "AppBootFoundation", dependencies: ["AppBoot"]),
    .target(name: "AppBootTestKit", dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem"]),
    .target(name: "AppBoot", dependencies: ["AppBootBase"]),
    // Processes, their watcher, signals, sockets, terminals, files and logs. It does not depend on AppBoot or its JSON.
    .target(name: "AppBootSystem", dependencies: ["AppBootC", "AppBootBase", "AppBootLibC"]),
    // Locks, threads, clocks, reading of files and the host.
    .target(name: "AppBootBase", dependencies: ["AppBootLibC"]),
    // C for signal handlers, and for a process between its vfork and its program.
    .systemLibrary(name: "AppBootC"),
    // The C library of each platform under one name.
    .target(name: "AppBootLibC"),

    // What the tests share. Products do not depend on it.
    .target(
      name: "AppBootTestSupport",
      dependencies: [
        "AppBoot", "AppBootBase", "AppBootLibC", "AppBootLifecycle", "AppBootSystem", "AppBootTestKit",
      ],
      path: "Tests/AppBootTestSupport"),
    .testTarget(name: "AppBootBaseTests", dependencies: ["AppBootBase"]),
    .testTarget(name: "AppBootSystemTests", dependencies: ["AppBootC", "AppBootSystem"]),
    .testTarget(
      name: "AppBootTests",
      dependencies: [
        "AppBoot", "AppBootAnalysis", "AppBootRecords", "AppBootSchema", "AppBootSystem",
        "AppBootTestKit",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "AppBootRecordsTests",
      dependencies: ["AppBoot", "AppBootRecords", "AppBootSystem", "AppBootTestKit"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "AppBootAnalysisTests",
      dependencies: ["AppBoot", "AppBootAnalysis", "AppBootRecords", "AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootLifecycleTests",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootRecords", "AppBootSystem", "AppBootTestKit"]),
    // An app as it is written in a module whose code is on the main actor by default.
    .testTarget(
      name: "AppBootDefaultIsolationTests",
      dependencies: [
        "AppBoot", "AppBootCommands", "AppBootLifecycle", "AppBootSystem", "AppBootTestKit", "AppBootTool",
      ]),
    .testTarget(
      name: "AppBootCommandsTests",
      dependencies: ["AppBootCommands", "AppBootLifecycle", "AppBootRecords", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootFoundationTests", dependencies: ["AppBoot", "AppBootFoundation", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootReportsTests",
      dependencies: [
        "AppBoot", "AppBootAnalysis", "AppBootRecords", "AppBootReports", "AppBootSystem", "AppBootTestKit",
      ]),
    .testTarget(
      name: "AppBootToolTests",
      dependencies: [
        "AppBootMain", "AppBootTool", "AppBootCommands", "AppBootLifecycle", "AppBootRecords",
        "AppBootReports", "AppBootTestKit",
      ]),
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

for target in package.targets where target.type != .system {
  target.swiftSettings = settings()
  if target.type == .test { target.dependencies += ["AppBootLibC", "AppBootTestSupport"] }
  if target.name == "AppBootDefaultIsolationTests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
  }
}

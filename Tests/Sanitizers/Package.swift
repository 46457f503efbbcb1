// swift-tools-version: 6.2
// The code that shares memory between threads, with its tests, for the thread and the address sanitizer. It builds in
// half the time of the root package.

import PackageDescription

let package = Package(
  name: "Sanitizers",
  targets: [
    // Links to the sources of the root package.
    .systemLibrary(name: "AppBootC"),
    .target(name: "AppBootLibC"),
    .target(name: "AppBootBase", dependencies: ["AppBootLibC"]),
    .target(name: "AppBootSystem", dependencies: ["AppBootC", "AppBootBase", "AppBootLibC"]),
    .target(name: "AppBoot", dependencies: ["AppBootBase"], exclude: ["AppBoot.docc"]),
    .target(name: "AppBootAnalysis", dependencies: ["AppBoot", "AppBootBase", "AppBootRecords"]),
    .target(name: "AppBootRecords", dependencies: ["AppBoot", "AppBootLibC", "AppBootSystem"]),
    .target(name: "AppBootSchema", dependencies: ["AppBoot", "AppBootBase"]),
    .target(name: "AppBootLifecycle", dependencies: ["AppBoot", "AppBootSystem"]),
    .target(
      name: "AppBootCommands",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootRecords", "AppBootSystem"]),
    .target(name: "AppBootTestKit", dependencies: ["AppBoot", "AppBootLifecycle", "AppBootSystem"]),
    .target(
      name: "AppBootTestSupport",
      dependencies: [
        "AppBoot", "AppBootBase", "AppBootLibC", "AppBootLifecycle", "AppBootSystem", "AppBootTestKit",
      ]),

    .testTarget(
      name: "AppBootTests",
      dependencies: [
        "AppBoot", "AppBootAnalysis", "AppBootRecords", "AppBootSchema", "AppBootSystem", "AppBootTestKit",
      ],
      exclude: ["Fixtures"], sources: ["Run", "Support"]),
    .testTarget(
      name: "AppBootLifecycleTests",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootRecords", "AppBootSystem", "AppBootTestKit"]),
    .testTarget(
      name: "AppBootCommandsTests", dependencies: ["AppBootCommands", "AppBootLifecycle", "AppBootTestKit"],
      sources: [
        "Operations", "Stock/RunProcessTests.swift", "Stock/UndoProcessTests.swift",
        "EndedProcess.swift", "TestLaunch.swift", "Probes/ScriptedCheck.swift",
        "Logs", "Programs", "Services",
      ]),
  ]
)

for target in package.targets where target.type != .system {
  if target.type == .test { target.dependencies += ["AppBootLibC", "AppBootTestSupport"] }
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

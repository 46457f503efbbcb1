// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Lifecycle",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AppBoot", path: "../.."),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // An AppBoot tool whose manifest has a Service of swift-service-lifecycle.
    .executableTarget(
      name: "server", dependencies: ["LifecycleKit", .product(name: "AppBootTool", package: "AppBoot")]),
    // A ServiceGroup that has AppBoot as a Service.
    .executableTarget(name: "group", dependencies: ["LifecycleKit"]),
    // A plan with services and event handlers, without the tool and without a group.
    .executableTarget(name: "stay", dependencies: ["LifecycleKit"]),
    .target(
      name: "LifecycleKit",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "LifecycleKitTests",
      dependencies: [
        "LifecycleKit", "group", "server", "stay", .product(name: "AppBootTestKit", package: "AppBoot"),
      ]),
  ]
)

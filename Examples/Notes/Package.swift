// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AppBoot", path: "../..")],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [
        "NotesKit",
        .product(name: "AppBootTool", package: "AppBoot"),
      ]),
    .target(
      name: "NotesKit",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
      ]),
    .testTarget(
      name: "NotesKitTests",
      dependencies: [
        "NotesKit", .product(name: "AppBootFoundation", package: "AppBoot"),
        .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootRecords", package: "AppBoot"),
        .product(name: "AppBootTestKit", package: "AppBoot"),
      ]),
  ]
)

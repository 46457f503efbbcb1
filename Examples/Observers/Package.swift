// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Observers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AppBoot", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
  ],
  targets: [
    .target(
      name: "Observers",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    .testTarget(
      name: "ObserversTests",
      dependencies: [
        "Observers", .product(name: "AppBootTestKit", package: "AppBoot"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ]),
  ]
)

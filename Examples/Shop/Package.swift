// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AppBoot", path: "../..")],
  targets: [
    .executableTarget(
      name: "shop",
      dependencies: ["ShopKit", .product(name: "AppBootTool", package: "AppBoot")]),
    // The same tool from asynchronous code: main.swift with await, and @main.
    .executableTarget(
      name: "shop-await",
      dependencies: ["ShopKit", .product(name: "AppBootTool", package: "AppBoot")]),
    .executableTarget(
      name: "shop-async",
      dependencies: ["ShopKit", .product(name: "AppBootTool", package: "AppBoot")]),
    .target(
      name: "ShopKit",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
      ]),
    // The Swift code of the README, Docs/ and the DocC articles: Scripts/check-snippets compares the pages with it.
    .target(
      name: "Recipes",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
        .product(name: "AppBootRecords", package: "AppBoot"),
      ]),
    .target(
      name: "Articles",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
        .product(name: "AppBootRecords", package: "AppBoot"),
        .product(name: "AppBootTool", package: "AppBoot"),
      ]),
    // A link to a stock command: it compiles outside the package, so users can copy it.
    .target(
      name: "CopiedCommand",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
      ]),
    .testTarget(
      name: "ShopKitTests",
      dependencies: [
        "ShopKit", "Recipes", "Articles", "CopiedCommand",
        .product(name: "AppBootRecords", package: "AppBoot"),
        .product(name: "AppBootSchema", package: "AppBoot"),
        .product(name: "AppBootTestKit", package: "AppBoot"),
      ]),
    // The six most common tasks, as an app writes them.
    .testTarget(
      name: "TasksTests",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
        .product(name: "AppBootTestKit", package: "AppBoot"),
      ]),
  ]
)

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
    .target(
      name: "ShopKit",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
        .product(name: "AppBootCommands", package: "AppBoot"),
      ]),
    // The Swift code of Docs/recipes.md: what is shown there compiles here.
    .target(
      name: "Recipes",
      dependencies: [
        .product(name: "AppBoot", package: "AppBoot"), .product(name: "AppBootLifecycle", package: "AppBoot"),
      ]),
    .testTarget(
      name: "ShopKitTests",
      dependencies: ["ShopKit", "Recipes", .product(name: "AppBootTestKit", package: "AppBoot")]),
  ]
)

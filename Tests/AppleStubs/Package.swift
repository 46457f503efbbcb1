// swift-tools-version: 6.2
// The bridge to Apple's frameworks, compiled and run on Linux with stubs of those frameworks. Docs/apple.md says what
// this proves.

import PackageDescription

let package = Package(
  name: "AppleStubs",
  targets: [
    .target(name: "UserNotifications", path: "Stubs/UserNotifications"),
    .target(name: "BackgroundTasks", path: "Stubs/BackgroundTasks"),
    .target(name: "MetricKit", path: "Stubs/MetricKit"),
    .target(name: "os", path: "Stubs/os"),
    .target(name: "UIKit", dependencies: ["UserNotifications"], path: "Stubs/UIKit"),

    .target(name: "CloudKit", dependencies: ["UIKit"], path: "Stubs/CloudKit"),
    .target(name: "SwiftUI", dependencies: ["UIKit"], path: "Stubs/SwiftUI"),

    // Links to the sources of the root package. As targets of one package they share its package access.
    .systemLibrary(name: "AppBootC"),
    .target(name: "AppBootLibC"),
    .target(name: "AppBootBase", dependencies: ["AppBootLibC"]),
    .target(name: "AppBootSystem", dependencies: ["AppBootC", "AppBootBase", "AppBootLibC"]),
    .target(name: "AppBoot", dependencies: ["AppBootBase"]),
    .target(name: "AppBootRecords", dependencies: ["AppBoot", "AppBootLibC", "AppBootSystem"]),
    .target(name: "AppBootLifecycle", dependencies: ["AppBoot", "AppBootSystem"]),
    .target(
      name: "AppBootCommands",
      dependencies: ["AppBoot", "AppBootLifecycle", "AppBootRecords", "AppBootSystem"]),
    .target(
      name: "AppBootUIKit",
      dependencies: [
        "AppBoot", "AppBootBase", "AppBootLifecycle", "AppBootRecords", "AppBootSystem", "BackgroundTasks",
        "MetricKit", "UIKit", "UserNotifications", "os",
      ]),

    .target(
      name: "AppBootCloudKit", dependencies: ["AppBootLifecycle", "AppBootUIKit", "CloudKit", "UIKit"]),

    // Links to the sources of Examples/NotesApp.
    .executableTarget(name: "NotesUIKit", dependencies: ["AppBootCommands", "AppBootUIKit"]),
    .executableTarget(
      name: "NotesSwiftUI", dependencies: ["AppBootCommands", "AppBootLifecycle", "AppBootUIKit", "SwiftUI"]),

    .executableTarget(
      name: "NotesWindowGroup",
      dependencies: ["AppBootCommands", "AppBootLifecycle", "AppBootUIKit", "SwiftUI"]),

    .testTarget(
      name: "AppBootUIKitTests",
      dependencies: [
        "AppBootCloudKit", "AppBootCommands", "AppBootUIKit", "NotesSwiftUI", "NotesUIKit",
        "NotesWindowGroup",
      ]),
  ]
)

for target in package.targets where target.type != .system {
  if target.path?.hasPrefix("Stubs/") == true {
    target.swiftSettings = [.swiftLanguageMode(.v5)]
  } else {
    target.swiftSettings = [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
    ]
  }
  if target.type == .test {
    // The compiler would look for swift-testing's overlay of the real UIKit.
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]))
  }
}

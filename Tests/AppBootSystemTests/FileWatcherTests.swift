import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("FileWatcher", .ownThread)
struct FileWatcherTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.file("src/inner"), parents: true)
    try write("src/a.ts")
  }

  private func write(_ name: String, _ text: String = "x") throws {
    let descriptor = try FileSystem.open(directory.file(name), O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    defer { Descriptor.close(descriptor) }
    try FileSystem.writeAll(descriptor, Array(text.utf8), path: name)
  }

  /// Returns the changed files once the poller reports changes.
  private func changes(of watcher: FileWatcher) throws -> [String] {
    let poller = try Poller()
    if let descriptor = watcher.descriptor { try poller.add(descriptor, token: 1) }
    _ = try poller.wait(deadline: watcher.nextLook ?? Patience.end)
    return try watcher.changes()
  }

  @Test("A watcher reports files that are written, renamed and removed", arguments: [nil, 1_000_000])
  func kinds(interval: Int64?) throws {
    let watcher = try FileWatcher(
      FileSelection(["src/**/*.ts"]), in: directory.path, comparingEvery: interval)
    #expect(try watcher.changes().isEmpty)
    try write("src/a.ts", "longer")
    #expect(try changes(of: watcher) == ["src/a.ts"])
    // As an editor writes.
    try write("src/.a.tmp", "text")
    try FileSystem.rename(directory.file("src/.a.tmp"), to: directory.file("src/a.ts"))
    #expect(try changes(of: watcher) == ["src/a.ts"])
    try FileSystem.rename(directory.file("src/a.ts"), to: directory.file("src/inner/b.ts"))
    #expect(Set(try changes(of: watcher)) == ["src/a.ts", "src/inner/b.ts"])
    try FileSystem.remove(directory.file("src/inner/b.ts"))
    #expect(try changes(of: watcher) == ["src/inner/b.ts"])
  }

  @Test("A watcher follows a link to its directory, and a directory that is missing is an error")
  func root() throws {
    #expect(symlink(directory.path, directory.file("link")) == 0)
    let watcher = try FileWatcher(FileSelection(["src"]), in: directory.file("link"))
    try write("src/a.ts", "longer")
    #expect(try changes(of: watcher) == ["src/a.ts"])
    #expect(throws: WatchError.self) {
      try FileWatcher(FileSelection(["src"]), in: directory.file("missing"))
    }
    let longest = try FileWatcher(FileSelection(["src"]), in: directory.path, comparingEvery: .max)
    #expect(longest.nextLook == .max)
  }

  @Test("A watcher reports the files of a directory that appears later")
  func later() throws {
    let watcher = try FileWatcher(FileSelection(["new/**/*.ts"]), in: directory.path)
    try FileSystem.createDirectory(directory.file("new/deep"), parents: true)
    try write("new/deep/a.ts")
    var files = try changes(of: watcher)
    while !files.contains("new/deep/a.ts") { files += try changes(of: watcher) }
    try write("new/deep/b.ts")
    while !files.contains("new/deep/b.ts") { files += try changes(of: watcher) }
    try FileSystem.rename(directory.file("new"), to: directory.file("old"))
    #expect(try changes(of: watcher).contains("new/"))
    try write("old/deep/a.ts")
    #expect(try watcher.changes().isEmpty)
  }

  @Test("A removed directory is not a changed file")
  func removed() throws {
    try write("src/inner/b.ts")
    let watcher = try FileWatcher(FileSelection(["src"]), in: directory.path)
    try FileSystem.remove(directory.file("src/inner/b.ts"))
    #expect(rmdir(directory.file("src/inner")) == 0)
    #expect(try changes(of: watcher) == ["src/inner/b.ts"])
  }

  @Test("A watcher does not look into ignored directories")
  func ignored() throws {
    let selection = FileSelection(["**"], ignoring: ["node_modules", "/src/inner", "*.log"])
    for name in ["node_modules", "lib/node_modules", "src/inner"] {
      try FileSystem.createDirectory(directory.file(name), parents: true)
    }
    let watcher = try FileWatcher(selection, in: directory.path)
    try write("node_modules/a")
    try write("lib/node_modules/a")
    try write("src/inner/a")
    try write("src/a.log")
    #expect(try watcher.changes().isEmpty)
    try write("lib/a")
    #expect(try changes(of: watcher) == ["lib/a"])
  }
}

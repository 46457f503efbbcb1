import AppBoot
import AppBootSystem

/// State in a directory as long as it can be written; after the first refusal, in memory, with one warning.
///
/// A launch on a read-only file system is worth more than what the next one would have remembered of it.
final class FallbackStateStore: StateStore {
  private let directory: DirectoryStateStore
  private let memory = MemoryStateStore()
  private let mode = Lock(Mode.directory)
  private let warn: @Sendable (String) -> Void

  private enum Mode { case directory, hushed, memory }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Keeps nothing from now on: another launch has the directory.
  func keepInMemory() { mode.withLock { $0 = .memory } }

  /// Says nothing more of what cannot be kept: it was said already that the directory cannot be written.
  func hush() { mode.withLock { if $0 == .directory { $0 = .hushed } } }

  func read(_ name: String) throws -> [UInt8]? {
    try memory.read(name) ?? directory.read(name)
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    guard mode.withLock({ $0 }) != .memory else { return memory.write(name, bytes) }
    do {
      try directory.write(name, bytes)
    } catch {
      memory.write(name, bytes)
      let isFirst = mode.withLock { mode in
        defer { mode = .memory }
        return mode == .directory
      }
      if isFirst { warn("nothing is kept for the next launch: \(error)") }
    }
  }
}

import AppBoot
import AppBootSystem

/// State in a directory; in memory after the first write error, with one warning.
///
/// A launch on a read-only file system runs, without state for the next one.
final class FallbackStateStore: StateStore {
  private let directory: DirectoryStateStore
  private let memory = MemoryStateStore()
  private let mode = Lock(Mode.directory)
  private let warn: @Sendable (String) -> Void

  private enum Mode { case directory, silent, memory }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Writes to memory from now on, because another launch uses the directory.
  func useMemory() { mode.withLock { $0 = .memory } }

  /// Suppresses the warning, because the journal has already reported the directory.
  func silence() { mode.withLock { if $0 == .directory { $0 = .silent } } }

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
      if isFirst { warn("continuing without saving state: \(error)") }
    }
  }
}

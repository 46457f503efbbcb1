import AppBoot
import AppBootSystem

/// State in a directory; in memory after the first write error, with one warning.
///
/// A launch on a read-only file system runs, without state for the next one. If another user may have changed the
/// directory or a file, nothing more is read or written there.
final class FallbackStateStore: StateStore {
  private let directory: DirectoryStateStore
  private let memory = MemoryStateStore()
  private let mode = Lock(Mode.directory)
  /// The reason for which the directory is no longer used at all.
  private let distrust = Lock<StateStoreError?>(nil)
  private let warn: @Sendable (String) -> Void

  /// The place of writes. In `shared`, another launch uses the directory, and only updates go there.
  private enum Mode { case directory, silent, shared, memory }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Writes to memory from now on, because another launch uses the directory.
  func useMemory() { mode.withLock { $0 = .shared } }

  /// Suppresses the warning, because the journal has already reported the directory.
  func silence() { mode.withLock { if $0 == .directory { $0 = .silent } } }

  func read(_ name: String) throws -> [UInt8]? {
    if let bytes = memory.read(name) { return bytes }
    if distrust.withLock(\.self) != nil { return nil }
    do {
      return try directory.read(name)
    } catch let error as StateStoreError where error.isDistrust {
      // The journal warns if this is the directory's problem, and otherwise the first write.
      distrust.withLock { $0 = $0 ?? error }
      return nil
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    if let error = distrust.withLock(\.self) { useMemory(because: error) }
    switch mode.withLock({ $0 }) {
    case .shared, .memory: memory.write(name, bytes)
    case .directory, .silent:
      do {
        try directory.write(name, bytes)
      } catch {
        memory.write(name, bytes)
        useMemory(because: error)
      }
    }
  }

  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    if let error = distrust.withLock(\.self) { useMemory(because: error) }
    guard mode.withLock({ $0 }) != .memory else {
      return memory.write(name, try change(try read(name)))
    }
    var refusal: (any Error)?
    do {
      try directory.update(name) { stored in
        do {
          return try change(stored)
        } catch {
          refusal = error
          throw error
        }
      }
    } catch {
      if let refusal { throw refusal }
      memory.write(name, try change(try read(name)))
      useMemory(because: error)
    }
  }

  private func useMemory(because error: any Error) {
    let isFirst = mode.withLock { mode in
      defer { mode = .memory }
      return mode == .directory
    }
    if isFirst { warn("continuing without saving state: \(error)") }
  }
}

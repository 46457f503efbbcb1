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
  private let warn: @Sendable (String) -> Void

  /// The place of writes. In `shared`, another launch uses the directory, and only updates go there. In `distrusted`
  /// nothing is read there either; the error is the reason, until the first write has reported it.
  private enum Mode {
    case directory, silent, shared, memory
    case distrusted(StateStoreError?)
  }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Writes to memory from now on, because another launch uses the directory.
  func useMemory() {
    mode.withLock { mode in
      if case .distrusted = mode { return }
      mode = .shared
    }
  }

  /// Suppresses the warning, because the journal has already reported the directory.
  func silence() {
    mode.withLock { mode in
      switch mode {
      case .directory: mode = .silent
      case .distrusted: mode = .distrusted(nil)
      case .silent, .shared, .memory: return
      }
    }
  }

  func read(_ name: String) throws -> [UInt8]? {
    if let bytes = memory.read(name) { return bytes }
    if case .distrusted = mode.withLock(\.self) { return nil }
    do {
      return try directory.read(name)
    } catch let error as StateStoreError where error.isDistrust {
      // The journal warns if this is the directory's problem, and otherwise the first write.
      mode.withLock { mode in
        if case .directory = mode { mode = .distrusted(error) } else { mode = .distrusted(nil) }
      }
      return nil
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    switch placeOfWrites() {
    case .memory, .shared: memory.write(name, bytes)
    case .directory:
      do {
        try directory.write(name, bytes)
      } catch {
        memory.write(name, bytes)
        useMemory(because: error)
      }
    }
  }

  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    if case .memory = placeOfWrites() { return memory.write(name, try change(try read(name))) }
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

  private enum Place { case directory, shared, memory }

  /// Returns the place of writes. Warns before the first one to a directory that must not be used.
  private func placeOfWrites() -> Place {
    let (place, unreported) = mode.withLock { mode -> (Place, StateStoreError?) in
      switch mode {
      case .directory, .silent: return (.directory, nil)
      case .shared: return (.shared, nil)
      case .memory: return (.memory, nil)
      case .distrusted(let error):
        mode = .distrusted(nil)
        return (.memory, error)
      }
    }
    if let unreported { warn(Self.problem(unreported)) }
    return place
  }

  private func useMemory(because error: any Error) {
    let isDistrust = (error as? StateStoreError)?.isDistrust == true
    let isFirst = mode.withLock { mode in
      defer { mode = isDistrust ? .distrusted(nil) : .memory }
      if case .directory = mode { return true } else { return false }
    }
    if isFirst { warn(Self.problem(error)) }
  }

  private static func problem(_ error: any Error) -> String { "continuing without saving state: \(error)" }
}

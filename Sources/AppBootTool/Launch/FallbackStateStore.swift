import AppBoot
import AppBootRecords
import AppBootSystem

/// A state store that uses a directory, and memory after the first write error. It warns once.
///
/// A launch can thus run on a read-only file system, but later launches do not find its state. If another user may
/// have changed the directory or a file, the store no longer reads or writes there.
final class FallbackStateStore: StateStore {
  private let directory: DirectoryStateStore
  private let memory = MemoryStateStore()
  private let mode = Lock(Mode.directory)
  private let warn: @Sendable (String) -> Void

  /// The mode of the store, which decides where it reads and writes.
  ///
  /// - `directory`: the directory. `silent` is the same without a warning.
  /// - `shared`: another launch uses the directory. Updates go there, and other writes to memory.
  /// - `memory`: writes go to memory.
  /// - `distrusted`: nothing is read from or written to the directory. The error is the reason. It is `nil` after it
  ///   was reported.
  private enum Mode {
    case directory, silent, shared, memory
    case distrusted(StateStoreError?)
  }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Makes writes go to memory from now on, because another launch uses the directory.
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

  /// Returns the place for writes. Warns before the first write if the directory must not be used.
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

import AppBoot
import AppBootRecords
import AppBootSystem

/// A state store that uses a directory, and memory after the first write error. It warns once.
///
/// A launch can thus run on a read-only file system, but later launches do not find its state. If another user may
/// have changed the directory or a file, the store no longer reads or writes there. The marker of the first launch is
/// the origin of the directory: one that came with a repository, an archive or a cache does not count.
final class FallbackStateStore: StateStore {
  private let directory: DirectoryStateStore
  private let memory = MemoryStateStore()
  private let state = Lock(State())
  private let warn: @Sendable (String) -> Void

  /// The place where the store writes.
  private enum Place {
    case directory, memory
    /// Another launch uses the directory: updates go there, and other writes to memory.
    case shared
  }

  private struct State {
    var place = Place.directory
    /// True if nothing is read from or written to the directory.
    var isDistrusted = false
    /// The reason for that, until the first write reports it.
    var unreported: StateStoreError?
    /// True if there is no warning about the directory.
    var isSilent = false
    /// True if a marker of the first launch was found that does not count.
    var hasForeignMarker = false

    /// Makes writes go to memory. Returns true if that needs a warning.
    mutating func useMemory(distrusting: Bool) -> Bool {
      defer { place = .memory }
      isDistrusted = isDistrusted || distrusting
      return place == .directory && !isSilent
    }
  }

  init(_ path: String, warn: @escaping @Sendable (String) -> Void) {
    directory = DirectoryStateStore(path: path)
    self.warn = warn
  }

  var place: String { directory.place }

  /// Makes writes go to memory from now on, because another launch uses the directory.
  func useMemory() { state.withLock { if !$0.isDistrusted { $0.place = .shared } } }

  /// Suppresses the warning, because the journal has already reported the directory.
  func silence() { state.withLock { ($0.isSilent, $0.unreported) = (true, nil) } }

  func read(_ name: String) throws -> [UInt8]? {
    if let bytes = memory.read(name) { return bytes }
    if state.withLock(\.isDistrusted) { return nil }
    do {
      let bytes = try directory.read(name)
      return FirstLaunch.isMarker(name) ? bytes.flatMap { counted($0, name) } : bytes
    } catch let error as StateStoreError where error.isDistrust {
      // The journal warns if this is the directory's problem, and otherwise the first write.
      state.withLock { state in
        if state.useMemory(distrusting: true) { state.unreported = error }
      }
      return nil
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    if placeOfWrites() == .directory {
      do {
        guard FirstLaunch.isMarker(name) else { return try directory.write(name, bytes) }
        try directory.prepare()
        return try directory.write(name, marker)
      } catch {
        useMemory(because: error)
      }
    }
    memory.write(name, bytes)
  }

  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    if placeOfWrites() != .memory {
      var refusal: (any Error)?
      do {
        return try directory.update(name) { stored in
          do {
            return try change(stored)
          } catch {
            refusal = error
            throw error
          }
        }
      } catch {
        if let refusal { throw refusal }
        useMemory(because: error)
      }
    }
    memory.write(name, try change(try read(name)))
  }

  /// The marker of the first launch with this directory.
  private var marker: [UInt8] { Array("\(FileSystem.origin(of: directory.path) ?? "")\n".utf8) }

  /// Returns a marker of the first launch; `nil`, with a warning, if it was written in another directory.
  private func counted(_ bytes: [UInt8], _ name: String) -> [UInt8]? {
    if bytes == marker { return bytes }
    let isKnown = state.withLock { state in
      defer { state.hasForeignMarker = true }
      return state.hasForeignMarker
    }
    if !isKnown {
      warn("\"\(FileSystem.join(place, name))\" is from another directory: this counts as the first launch")
    }
    return nil
  }

  /// Returns the place for writes. Warns before the first write if the directory must not be used.
  private func placeOfWrites() -> Place {
    let (place, unreported) = state.withLock { state in
      defer { state.unreported = nil }
      return (state.place, state.unreported)
    }
    if let unreported { warn(Self.problem(unreported)) }
    return place
  }

  private func useMemory(because error: any Error) {
    let isDistrust = (error as? StateStoreError)?.isDistrust == true
    if state.withLock({ $0.useMemory(distrusting: isDistrust) }) { warn(Self.problem(error)) }
  }

  private static func problem(_ error: any Error) -> String { "continuing without saving state: \(error)" }
}

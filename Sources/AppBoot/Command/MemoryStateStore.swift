import AppBootBase

/// A state store in memory, for tests and for `--no-state`. Its content is lost at the end of the process.
public final class MemoryStateStore: StateStore {
  private let values = Lock<[String: [UInt8]]>([:])

  /// Creates an empty store.
  public init() {}

  /// Returns the bytes that are stored under a name; `nil` if there are none.
  public func read(_ name: String) -> [UInt8]? { values.withLock { $0[name] } }

  /// Stores bytes under a name.
  public func write(_ name: String, _ bytes: [UInt8]) { values.withLock { $0[name] = bytes } }

  /// Replaces the bytes that are stored under a name.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try values.withLock { $0[name] = try change($0[name]) }
  }

  /// The text `"memory"`.
  public var place: String { "memory" }
}

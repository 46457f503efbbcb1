import AppBootSystem

/// State that lives as long as the process: for tests, and for `--no-state`.
public final class MemoryStateStore: StateStore {
  private let values = Lock<[String: [UInt8]]>([:])

  /// Creates an empty store.
  public init() {}

  /// Returns the bytes stored under the name; `nil` if there are none.
  public func read(_ name: String) -> [UInt8]? { values.withLock { $0[name] } }

  /// Stores the bytes under the name.
  public func write(_ name: String, _ bytes: [UInt8]) { values.withLock { $0[name] = bytes } }

  /// Replaces the bytes stored under the name.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try values.withLock { $0[name] = try change($0[name]) }
  }

  /// `"memory"`.
  public var place: String { "memory" }
}

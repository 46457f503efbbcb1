import AppBootSystem

/// State that lives as long as the process: for tests, and for `--no-state`.
public final class MemoryStateStore: StateStore {
  private let values = Lock<[String: [UInt8]]>([:])

  /// Creates an empty store.
  public init() {}

  /// The bytes kept under the name.
  public func read(_ name: String) -> [UInt8]? { values.withLock { $0[name] } }

  /// Keeps the bytes under the name.
  public func write(_ name: String, _ bytes: [UInt8]) { values.withLock { $0[name] = bytes } }

  /// `"memory"`.
  public var place: String { "memory" }
}

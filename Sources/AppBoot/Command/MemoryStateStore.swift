import AppBootSystem

/// State that lives as long as the process: for tests, and for `--no-state`.
public final class MemoryStateStore: StateStore {
  private let values = Lock(Values())

  /// A type of its own, so that a launch that keeps nothing here makes no generic metadata for a dictionary (Docs/performance.md).
  private struct Values { var byName: [String: [UInt8]] = [:] }

  /// Creates an empty store.
  public init() {}

  /// The bytes kept under the name.
  public func read(_ name: String) -> [UInt8]? { values.withLock { $0.byName[name] } }

  /// Keeps the bytes under the name.
  public func write(_ name: String, _ bytes: [UInt8]) { values.withLock { $0.byName[name] = bytes } }

  /// `"memory"`.
  public var place: String { "memory" }
}

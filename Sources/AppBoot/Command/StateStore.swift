/// A store of small values with names. Later launches can read them.
public protocol StateStore: AnyObject, Sendable {
  /// Returns the bytes that are stored under a name; `nil` if there are none.
  ///
  /// - Throws: An error if the bytes exist but cannot be read.
  func read(_ name: String) throws -> [UInt8]?

  /// Stores bytes under a name. After an error, the previous bytes remain.
  ///
  /// - Throws: An error if the bytes cannot be stored.
  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Replaces the bytes that are stored under a name. The change is atomic, so no change by another launch is lost.
  ///
  /// - Parameter change: A function that returns the new bytes. Its argument is the stored bytes; `nil` if there are
  ///   none. It must not use the store.
  /// - Throws: The error of `change`, or an error if the bytes cannot be read or stored.
  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws

  /// The location of the state, for messages.
  var place: String { get }
}

extension StateStore {
  /// Reads, changes and writes the bytes without a lock. It is for a store that only one launch at a time uses.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try write(name, try change(try read(name)))
  }
}

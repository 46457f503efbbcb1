/// The storage of small named values that survive launches.
public protocol StateStore: AnyObject, Sendable {
  /// Returns the bytes stored under a name; `nil` if there are none.
  ///
  /// - Throws: An error if they exist and cannot be read.
  func read(_ name: String) throws -> [UInt8]?

  /// Stores the bytes under a name; on an error the previous bytes remain.
  ///
  /// - Throws: An error if they cannot be stored.
  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Replaces the bytes stored under a name by a function of them, as one action: no change by another launch is lost.
  ///
  /// - Parameter change: Returns the new bytes for the stored ones; `nil` if there are none. Must not use the store.
  /// - Throws: The function's error, or an error if the bytes cannot be read or stored.
  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws

  /// The place of the state, for messages.
  var place: String { get }
}

extension StateStore {
  /// Reads, changes and writes without a lock, for a store that no two launches use at the same time.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try write(name, try change(try read(name)))
  }
}

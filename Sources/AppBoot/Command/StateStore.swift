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

  /// The place of the state, for messages.
  var place: String { get }
}

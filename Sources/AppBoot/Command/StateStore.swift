/// What survives launches: small named values of bytes.
public protocol StateStore: AnyObject, Sendable {
  /// The bytes kept under the name, or `nil` where there are none.
  ///
  /// - Throws: Where they exist and cannot be read.
  func read(_ name: String) throws -> [UInt8]?

  /// Keeps the bytes under the name: all of them or, on an error, what was there before.
  ///
  /// - Throws: Where they cannot be kept.
  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Where the state is kept, for messages.
  var place: String { get }
}

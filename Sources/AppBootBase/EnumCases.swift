/// A list of an enum's cases, which is read from the metadata of the type.
package enum EnumCases {
  /// Returns the cases of an enum in the order of declaration.
  ///
  /// The layout of the metadata is a part of Swift's ABI (include/swift/ABI/Metadata.h, TargetEnumDescriptor).
  ///
  /// - Returns: `nil` for another kind of type, for an enum with associated values, with fewer than 2 or more than 256
  ///   cases, and on a platform that may sign the metadata's pointers.
  package static func all<Value>(of type: Value.Type) -> [Value]? {
    #if os(Linux) && _pointerBitWidth(_64)
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == enumKind, MemoryLayout<Value>.size == 1 else { return nil }
    let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    let payloads = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let count = descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard payloads == 0, (2...256).contains(count) else { return nil }
    // A case without associated values is stored as its number.
    return (0..<count).map { number in
      withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) { $0.load(as: Value.self) }
    }
    #else
    return nil
    #endif
  }

  #if os(Linux) && _pointerBitWidth(_64)
  private static let enumKind: UInt = 0x201
  #endif
}

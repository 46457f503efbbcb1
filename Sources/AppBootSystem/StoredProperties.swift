/// The names of a struct's stored properties, which are read from the metadata of the type.
///
/// A fast path for "whole process, appboot run on the root manifest ÷ hello world" (Docs/performance.md). Without it
/// the names come from `Mirror`, which makes each property's type from its mangled name: 2.4 million instructions more
/// for the seven types of that manifest.
package enum StoredProperties {
  /// Returns, for each object, the name of the property whose value begins with a reference to the object.
  ///
  /// Also returns the number of all properties. A name is `nil` if no property begins with a reference to its object.
  ///
  /// The layout of the metadata is a part of Swift's ABI (docs/ABI/TypeMetadata.rst,
  /// include/swift/RemoteInspection/Records.h).
  ///
  /// - Parameter wrapper: A generic struct, with any arguments. Only properties of this type are found.
  /// - Returns: `nil` for a type that is not a struct, and on a platform that may sign the metadata's pointers.
  package static func names<Subject>(
    of instance: Subject, beginningWith objects: [ObjectIdentifier], wrapper: any Any.Type
  ) -> (names: [String?], count: Int)? {
    #if os(Linux) && _pointerBitWidth(_64)
    let metadata = unsafeBitCast(Subject.self as Any.Type, to: UnsafeRawPointer.self)
    guard let descriptor = structDescriptor(of: Subject.self), let wanted = structDescriptor(of: wrapper)
    else {
      return nil
    }
    let count = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self))
    guard count > 0, let fields = relative(descriptor + 16) else { return nil }
    let vector = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    guard vector > 0, recordSize == 12, fields.load(fromByteOffset: 12, as: UInt32.self) == UInt32(count)
    else {
      return nil
    }
    let offsets = metadata + 8 * vector
    var names = [String?](repeating: nil, count: objects.count)
    withUnsafeBytes(of: instance) { bytes in
      for index in 0..<count {
        let offset = Int(offsets.load(fromByteOffset: 4 * index, as: UInt32.self))
        let record = fields + 16 + recordSize * index
        guard offset + 8 <= bytes.count, let name = relative(record + 8), nominalType(of: record) == wanted
        else {
          continue
        }
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
        for (position, object) in objects.enumerated() where UInt(bitPattern: object) == word {
          names[position] = String(cString: name.assumingMemoryBound(to: CChar.self))
        }
      }
    }
    return (names, count)
    #else
    return nil
    #endif
  }

  /// Returns the names of a struct's stored properties whose type is not a given generic struct.
  ///
  /// - Returns: `nil` for a type that is not a struct, and on a platform that may sign the metadata's pointers.
  package static func names(of type: any Any.Type, besides wrapper: any Any.Type) -> [String]? {
    #if os(Linux) && _pointerBitWidth(_64)
    guard let descriptor = structDescriptor(of: type), let wrapper = structDescriptor(of: wrapper) else {
      return nil
    }
    let count = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self))
    guard count > 0, let fields = relative(descriptor + 16),
      fields.load(fromByteOffset: 10, as: UInt16.self) == 12,
      fields.load(fromByteOffset: 12, as: UInt32.self) == UInt32(count)
    else {
      return nil
    }
    return (0..<count).compactMap { index in
      let record = fields + 16 + 12 * index
      guard nominalType(of: record) != wrapper, let name = relative(record + 8) else { return nil }
      return String(cString: name.assumingMemoryBound(to: CChar.self))
    }
    #else
    return nil
    #endif
  }

  #if os(Linux) && _pointerBitWidth(_64)
  private static let structKind: UInt = 0x200

  /// Returns the descriptor of a struct; `nil` for another kind of type.
  ///
  /// It is the same for all arguments of a generic struct.
  private static func structDescriptor(of type: any Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == structKind else { return nil }
    return metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
  }

  /// Returns the descriptor with which a field's mangled type begins, as a direct or an indirect symbolic reference.
  ///
  /// Returns `nil` if it begins in another way.
  private static func nominalType(of record: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard let mangled = relative(record + 4) else { return nil }
    let address = mangled + 1 + Int(mangled.loadUnaligned(fromByteOffset: 1, as: Int32.self))
    switch mangled.load(as: UInt8.self) {
    case 1: return address
    case 2: return address.loadUnaligned(as: UnsafeRawPointer?.self)
    default: return nil
    }
  }

  /// Returns the address to which a relative pointer points; `nil` for a null pointer.
  private static func relative(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = pointer.load(as: Int32.self)
    return offset == 0 ? nil : pointer + Int(offset)
  }
  #endif
}

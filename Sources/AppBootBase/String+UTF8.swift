extension String {
  /// Creates a string from bytes; `nil` if they are not UTF-8. `String(validating:as:)` needs iOS 18 or macOS 15.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}

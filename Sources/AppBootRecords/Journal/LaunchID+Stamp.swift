package import AppBoot

extension LaunchID {
  /// Returns the start time of a launch as the first part of its id; `nil` if the time is malformed.
  package static func stamp(of startedAt: String) -> String? {
    let stamp = compact(startedAt)
    return isStamp(stamp.utf8) ? stamp : nil
  }

  /// Returns true for the first part of an id.
  package static func isStamp(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    (16...40).contains(text.count) && text.last == UInt8(ascii: "Z")
      && text.prefix(8).allSatisfy { (48...57).contains($0) }
      && text.dropFirst(8).first == UInt8(ascii: "T")
      && text.dropFirst(9).dropLast().allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }
}

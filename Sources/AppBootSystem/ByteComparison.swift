// A fast path for looking up ids and keys without a copy of the string and without reference counting.
// The row that pays for it: "appboot list of a DAG of 100,000 ÷ make -n" (Docs/performance.md), whose goal is 0.25.
// Comparing with `==` and `withUTF8` gives the same results, and costs 4 % of that row and 8 % of a plan's assembly.

import AppBootLibC

extension String {
  /// Calls `body` with the UTF-8 of the text. Unlike `withUTF8`, it works on constants, and copies and retains nothing.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    // Only a string bridged from Objective-C has no contiguous UTF-8.
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// Returns whether both buffers contain the same bytes (`memcmp`, C).
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

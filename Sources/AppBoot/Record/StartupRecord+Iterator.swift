/// The iterator of records.
///
/// Pays for "whole process, appboot run on the root manifest ÷ hello world" (at most 2.0) in Docs/performance.md. The
/// standard library's iterator is a generic type, which the runtime makes at its first use after a search through all
/// conformances: some 90,000 instructions of a launch's 6 million.
extension StartupRecord {
  /// An iterator over the records of the steps, in manifest order.
  public struct Iterator: IteratorProtocol {
    fileprivate let record: StartupRecord
    fileprivate var position = 0

    /// Returns the record of the next step; `nil` at the end.
    public mutating func next() -> StepRecord? {
      guard position < record.endIndex else { return nil }
      defer { position += 1 }
      return record[position]
    }
  }

  /// Returns an iterator over the steps.
  public func makeIterator() -> Iterator { Iterator(record: self) }
}

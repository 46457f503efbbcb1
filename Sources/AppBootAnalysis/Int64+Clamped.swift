extension Int64 {
  /// Returns the sum of two times in nanoseconds, clamped to 64 bits: about 292 years.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

extension WallClock {
  /// Returns a time in microseconds as ``timestamp(nanoseconds:)`` does. A time after 2262 is shown as the last one.
  package static func timestamp(microseconds: Int64) -> String {
    let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return timestamp(nanoseconds: overflow ? (microseconds < 0 ? .min : .max) : product)
  }
}

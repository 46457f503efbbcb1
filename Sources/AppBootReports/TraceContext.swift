package import AppBoot
import AppBootRecords
import AppBootSystem

extension RecordHeader.Trace {
  /// Returns the place of a new launch: in the trace of a `traceparent`, or in a new trace without a valid one.
  ///
  /// Returns `nil` if the caller does not record the trace (the flag `sampled` is off).
  package static func joining(_ traceParent: String?) -> Self? {
    let spanID = SecureRandom.hexadecimal(bytes: 8)
    guard let parent = traceParent.flatMap(TraceParent.init) else {
      return Self(traceID: SecureRandom.hexadecimal(bytes: 16), spanID: spanID, parentID: nil)
    }
    return parent.isSampled ? Self(traceID: parent.traceID, spanID: spanID, parentID: parent.spanID) : nil
  }

  /// Returns the place of a launch that has none. The same record always has the same ids.
  static func derived(from record: StartupRecord) -> Self {
    let traceID = SHA256.hexadecimal(of: Array(record.json(pretty: false).utf8)).prefix(32)
    let trace = Self(traceID: String(traceID), spanID: "", parentID: nil)
    return Self(traceID: trace.traceID, spanID: trace.spanID(of: "boot"), parentID: nil)
  }

  /// Returns the id of a span of the launch.
  func spanID(of path: String) -> String {
    String(SHA256.hexadecimal(of: Array("\(traceID)/\(spanID)/\(path)".utf8)).prefix(16))
  }

  /// Returns the id of a step's span.
  func spanID(ofStep step: Int) -> String { spanID(of: "step/\(step)") }

  /// Returns the `traceparent` for the processes of a step.
  package func traceParent(ofStep step: Int) -> String { "00-\(traceID)-\(spanID(ofStep: step))-01" }
}

/// A parsed `traceparent`, for example `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01` (W3C Trace Context).
struct TraceParent {
  let traceID: String
  let spanID: String
  /// True if the caller records the trace.
  let isSampled: Bool

  /// Parses the text; returns `nil` if it is invalid. A later version may have more parts.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isDigit) }),
      parts[1...2].allSatisfy({ $0.contains { $0 != "0" } }), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    (traceID, spanID, isSampled) = (parts[1], parts[2], flags & 1 == 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { "0123456789abcdef".utf8.contains(byte) }
}

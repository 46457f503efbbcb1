/// A filter that replaces secrets in a stream of bytes with `***`.
///
/// The result does not depend on how the stream is split into chunks. The filter holds back only bytes that may be the
/// beginning of a secret: fewer than the length of the longest secret.
package struct SecretFilter: Sendable {
  private let secrets: Secrets
  private var patterns: SecretPatterns?
  private var version = 0
  /// The bytes that are held back.
  private var held: [UInt8] = []
  /// The number of leading held bytes that belong to a secret whose `***` has been written.
  private var covered = 0

  /// - Parameter held: The bytes that the filter of the same stream in another process held back.
  package init(_ secrets: Secrets, held: [UInt8] = []) {
    self.secrets = secrets
    self.held = held
  }

  /// The bytes that are held back and not yet replaced.
  package var unfinished: [UInt8] { Array(held[covered...]) }

  /// Passes the bytes, with secrets replaced, to `body`. Holds back a trailing part that may begin a secret.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let patterns = current() else { return body(bytes) }
    guard !held.isEmpty else { return pass(bytes, patterns, isLast: false, body) }
    let joined = held + bytes
    joined.withUnsafeBytes { pass($0, patterns, isLast: false, body) }
  }

  /// Passes on the bytes that are held back, at the end of the stream.
  package mutating func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard !held.isEmpty, let patterns = current() else { return }
    let rest = held
    rest.withUnsafeBytes { pass($0, patterns, isLast: true, body) }
  }

  private mutating func current() -> SecretPatterns? {
    if secrets.version != version { (patterns, version) = secrets.search }
    return patterns
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, _ patterns: SecretPatterns, isLast: Bool,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let end = isLast ? bytes.count : patterns.openEnd(of: bytes)
    var masking = Masking(bytes, end: end, maskedUpTo: covered)
    masking.run(patterns)
    held = Array(bytes[end...])
    covered = max(0, masking.maskedUpTo - end)
    masking.withResult { if !$0.isEmpty { body($0) } }
  }
}

/// The replacement of secrets in a buffer. Overlapping secrets become one `***`.
struct Masking {
  private static let mask = Array("***".utf8)

  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  /// The end of the last secret, also beyond ``end``.
  private(set) var maskedUpTo: Int
  /// The result up to the last secret; empty while the result is a part of the buffer.
  private var result: [UInt8] = []
  /// The end of the bytes that are in the result or replaced.
  private var done: Int

  /// - Parameters:
  ///   - end: The offset before which a secret must begin to be replaced now.
  ///   - maskedUpTo: The number of leading bytes that are already replaced.
  init(_ bytes: UnsafeRawBufferPointer, end: Int, maskedUpTo: Int = 0) {
    (self.bytes, self.end, self.maskedUpTo) = (bytes, end, maskedUpTo)
    done = min(maskedUpTo, end)
  }

  /// True if a secret was found.
  var hasFound: Bool { !result.isEmpty }

  mutating func run(_ patterns: SecretPatterns) {
    var start = 0
    while start < end, let match = patterns.firstMatch(in: bytes, from: start), match.lowerBound < end {
      if match.lowerBound >= maskedUpTo {
        result += bytes[done..<match.lowerBound]
        result += Self.mask
      }
      maskedUpTo = max(maskedUpTo, match.upperBound)
      done = min(maskedUpTo, end)
      start = match.lowerBound + 1
    }
  }

  /// Calls a function with the result: a part of the buffer if nothing was found.
  mutating func withResult<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done..<end])
    guard hasFound else { return body(rest) }
    result += rest
    return result.withUnsafeBytes(body)
  }
}

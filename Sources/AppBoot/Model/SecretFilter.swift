/// A filter that replaces secrets in a stream of bytes with `***`.
///
/// The result does not depend on how the stream is split into chunks. The filter holds back only bytes that may be the
/// beginning of a form of a secret.
package struct SecretFilter: Sendable {
  private let secrets: Secrets
  private var search: SecretSearch?
  private var version = 0
  /// The bytes that are held back.
  private var held: [UInt8] = []
  /// The number of held bytes, from the first on, that belong to a secret whose `***` has already been passed on.
  private var covered = 0

  /// Creates a filter.
  ///
  /// - Parameter held: The bytes of the same stream that a filter in another process has held back.
  package init(_ secrets: Secrets, held: [UInt8] = []) {
    self.secrets = secrets
    self.held = held
  }

  /// The bytes that are held back and were not replaced yet.
  package var unfinished: [UInt8] { Array(held[covered...]) }

  /// Passes the bytes to `body`, with secrets replaced. Holds back bytes at the end that may begin a secret.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let search = current() else { return body(bytes) }
    guard !held.isEmpty else { return pass(bytes, search, isLast: false, body) }
    let joined = held + bytes
    joined.withUnsafeBytes { pass($0, search, isLast: false, body) }
  }

  /// Passes the bytes that are held back to `body`. Call it at the end of the stream.
  package mutating func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard !held.isEmpty, let search = current() else { return }
    let rest = held
    rest.withUnsafeBytes { pass($0, search, isLast: true, body) }
  }

  private mutating func current() -> SecretSearch? {
    if secrets.version != version { (search, version) = secrets.search }
    return search
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, _ search: SecretSearch, isLast: Bool,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let end = isLast ? bytes.count : search.openEnd(of: bytes)
    var masking = Masking(bytes, end: end, maskedUpTo: covered)
    masking.run(search.matches(in: bytes))
    held = Array(bytes[end...])
    covered = max(0, masking.maskedUpTo - end)
    masking.withResult { if !$0.isEmpty { body($0) } }
  }
}

/// A replacement of the secrets in a buffer. Secrets that overlap become one `***`.
struct Masking {
  private static let mask = Array("***".utf8)

  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  /// The end of the last secret, even if it is after ``end``.
  private(set) var maskedUpTo: Int
  /// The result up to the last secret; empty until a secret is found.
  private var result: [UInt8] = []
  /// The end of the bytes that are already in the result or replaced.
  private var done: Int

  /// Creates a replacement.
  ///
  /// - Parameters:
  ///   - end: The offset before which a secret must begin. Later secrets are not replaced.
  ///   - maskedUpTo: The number of bytes at the beginning that are already replaced.
  init(_ bytes: UnsafeRawBufferPointer, end: Int, maskedUpTo: Int = 0) {
    (self.bytes, self.end, self.maskedUpTo) = (bytes, end, maskedUpTo)
    done = min(maskedUpTo, end)
  }

  /// True if a secret was found.
  var hasFound: Bool { !result.isEmpty }

  mutating func run(_ matches: [Range<Int>]) {
    for match in matches {
      guard match.lowerBound < end else { return }
      if match.lowerBound >= maskedUpTo {
        result += bytes[done..<match.lowerBound]
        result += Self.mask
      }
      maskedUpTo = max(maskedUpTo, match.upperBound)
      done = min(maskedUpTo, end)
    }
  }

  /// Calls a function with the result. If no secret was found, the result is a part of the buffer.
  mutating func withResult<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done..<end])
    guard hasFound else { return body(rest) }
    result += rest
    return result.withUnsafeBytes(body)
  }
}

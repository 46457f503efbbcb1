package import AppBoot

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
    let (passed, secretEnd) = search.replacing(in: bytes, from: covered, to: end)
    held = Array(bytes[end...])
    covered = max(0, secretEnd - end)
    if !passed.isEmpty { passed.withUnsafeBytes(body) }
  }
}

extension SecretSearch {
  /// Returns the first offset from which on all remaining bytes are the beginning of a longer form.
  ///
  /// Returns the number of bytes if there is no such offset.
  fileprivate func openEnd(of bytes: UnsafeRawBufferPointer) -> Int {
    (max(0, bytes.count - longest + 1)..<bytes.count).first { start in
      let rest = bytes[start...]
      return forms[Int(bytes[start])].contains { $0.count > rest.count && $0.starts(with: rest) }
    } ?? bytes.count
  }
}

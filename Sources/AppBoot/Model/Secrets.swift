import AppBootBase

/// The secrets of a launch. Its output, records, reports and messages show `***` instead.
///
/// A secret is also recognized as common encoders write it (``SecretEscapes``), and in base64. Each line of a secret
/// with several lines is a secret too.
package final class Secrets: Sendable {
  /// The minimum length of a secret in bytes. Hiding a shorter value would also hide harmless text.
  package static let shortest = 4

  private struct State {
    var values: [String] = []
    var forms: Set<[UInt8]> = []
    /// The search for all forms of the secrets; `nil` after a change, until it is needed again.
    var search: SecretSearch?
    /// The number of changes; 0 if there is no secret.
    var changes = 0
  }

  private let state = Lock(State())

  package init() {}

  /// True if there is no secret.
  package var isEmpty: Bool { version == 0 }

  /// The version of the set of secrets. It changes with each new secret.
  package var version: Int { state.withLock(\.changes) }

  /// Adds a secret. Returns false if the value is too short to be hidden.
  @discardableResult
  package func add(_ value: String) -> Bool {
    if state.withLock({ $0.values.contains(value) }) { return true }
    let forms = SecretForms.all(of: value, shortest: Self.shortest)
    guard !forms.isEmpty else { return false }
    state.withLock { state in
      guard !state.values.contains(value) else { return }
      state.values.append(value)
      state.forms.formUnion(forms)
      state.search = nil
      state.changes += 1
    }
    return true
  }

  /// Returns whether a value is too short to be hidden, but not empty.
  static func isTooShort(_ value: String) -> Bool {
    let count = SecretForms.trimmed(Array(value.utf8)[...]).count
    return count > 0 && count < shortest
  }

  /// The values of the secrets, for another process that hides them.
  package var values: [String] { state.withLock(\.values) }

  /// The search for the secrets, and the version of the set for which it was made. The search is `nil` without secrets.
  package var search: (SecretSearch?, version: Int) {
    state.withLock { state in
      if state.search == nil, !state.forms.isEmpty { state.search = SecretSearch(state.forms) }
      return (state.search, state.changes)
    }
  }

  /// Returns a text with each secret replaced by `***`.
  package func masking(_ text: String) -> String {
    guard !isEmpty, let search = search.0 else { return text }
    var text = text
    return text.withUTF8 { bytes in
      String(
        decoding: search.replacing(in: UnsafeRawBufferPointer(bytes), to: bytes.count).bytes, as: UTF8.self)
    }
  }

  /// Returns a text with each secret replaced by `***`; `nil` for `nil`.
  package func masking(_ text: String?) -> String? { text.map { masking($0) } }

  /// Returns the bytes with each byte of a secret replaced by `*`. The offsets of all bytes stay the same.
  func maskingInPlace(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, let search = search.0 else { return bytes }
    var masked = bytes
    bytes.withUnsafeBytes { buffer in
      for match in search.matches(in: buffer) {
        for index in match { masked[index] = UInt8(ascii: "*") }
      }
    }
    return masked
  }
}

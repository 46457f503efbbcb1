import AppBoot

/// The response to a request by `curl`: its status, size and body.
struct CurlResponse: Sendable, Hashable {
  static let statusMark = "appboot-status: "

  let status: Int
  /// The size of the response's body in bytes.
  let size: Int
  /// The response's body. Its secrets are not masked.
  let body: String

  /// Returns the first line of the body that is not blank; at most 200 characters, with secrets masked.
  func firstLine(hiding secrets: Secrets) -> String {
    // Masked before the cut, because a part of a secret would not be recognized.
    let line = secrets.masking(body).split(whereSeparator: \.isNewline).first {
      !$0.allSatisfy(\.isWhitespace)
    }
    return String((line ?? "").prefix(200))
  }
}

extension CurlResponse {
  /// Parses the output of `curl`; returns `nil` if the output has no status.
  init?(output: String) {
    guard let mark = output.lastRange(of: "\n" + Self.statusMark) else { return nil }
    let numbers = output[mark.upperBound...].split(whereSeparator: \.isWhitespace).prefix(2).compactMap {
      Int($0)
    }
    guard let status = numbers.first, status > 0 else { return nil }
    self.status = status
    size = numbers.count > 1 ? numbers[1] : output.utf8.distance(from: output.startIndex, to: mark.lowerBound)
    body = String(output[..<mark.lowerBound])
  }

  /// Returns the reason from curl's error message, without its prefix `curl: (7)`.
  static func reason(in output: String) -> String {
    let line = output.split(whereSeparator: \.isNewline).last { $0.hasPrefix("curl: ") }
    guard let line else { return "it gave no reason" }
    let words = line.dropFirst("curl: ".count)
    guard words.hasPrefix("("), let end = words.firstIndex(of: ")") else { return String(words) }
    return String(words[words.index(after: end)...].drop { $0 == " " })
  }
}

extension String {
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    let start = utf8.indices.reversed().first { utf8[$0...].starts(with: text.utf8) }
    return start.map { $0..<utf8.index($0, offsetBy: text.utf8.count) }
  }
}

import AppBoot
import AppBootSystem

/// An HTTP POST request with a JSON body, sent by the program `curl`, which reads its configuration from standard
/// input.
///
/// Every user of the machine can see a program's arguments (`ps`), but not its standard input.
struct CurlRequest: Sendable {
  /// The most bytes of an answer that are taken.
  static let answerLimit = 1 << 16

  let url: ProviderURL
  let headers: [(name: String, value: String)]
  let body: String
  let timeout: Duration

  /// `--disable` keeps the user's own `.curlrc` from changing what is sent and shown.
  static let arguments = ["curl", "--disable", "--config", "-"]

  /// The configuration; one option a line.
  var configuration: String {
    var lines = ["silent", "show-error", "globoff"]
    lines.append(Self.option("url", url.text))
    lines.append(Self.option("proto", "=http,https"))
    lines.append(Self.option("max-time", Self.seconds(timeout)))
    // Before curl 8.4.0 only for an answer that says how long it is; of any other, too much is seen as it comes.
    lines.append(Self.option("max-filesize", "\(Self.answerLimit)"))
    lines.append(Self.option("header", "Content-Type: application/json"))
    for (name, value) in headers {
      // A header without a value is written with a semicolon; with a colon it would remove curl's own.
      lines.append(Self.option("header", value.isEmpty ? "\(name);" : "\(name): \(value)"))
    }
    lines.append(Self.option("data-raw", body))
    lines.append(Self.option("write-out", "\n\(CurlAnswer.statusMark)%{http_code} %{size_download}\n"))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a configuration of `curl` that fetches a URL and prints the answer with its header fields.
  static func configuration(fetching url: String) -> String {
    let options = [option("url", url), option("proto", "=http,https"), option("max-time", "10")]
    return (["silent", "show-error", "globoff", "include", "suppress-connect-headers"] + options)
      .joined(separator: "\n") + "\n"
  }

  /// The name of a header field in a manifest.
  static var headerName: ParameterSchema {
    .pattern(#"^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$"#, describedAs: "a header's name")
  }

  /// The value of a header field in a manifest.
  static var headerValue: ParameterSchema {
    .pattern(#"^(?![\s\S]*[\x00-\x08\x0A-\x1F\x7F])"#, describedAs: "a string")
  }

  /// Returns an error message for an invalid header field in a manifest; `nil` if it is valid.
  ///
  /// - Parameter template: The field's value, which may hold placeholders.
  static func problem(withHeader name: String, _ template: String) -> String? {
    if !isValidHeader(name, template) { return RemoteNotificationsError.badHeader(name: name).description }
    return template.isEmpty ? nil : TextParameter.problem(with: template)
  }

  /// Returns whether the name is a token (RFC 9110, 5.1) and the value has no control characters (5.5).
  static func isValidHeader(_ name: String, _ value: String) -> Bool {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    let isToken = name.utf8.allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || marks.contains($0)
    }
    return !name.isEmpty && isToken && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  private static func option(_ name: String, _ value: String) -> String {
    var text = "\(name) = \""
    for character in value.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(character)
      }
    }
    return text + "\""
  }

  /// Returns a duration in seconds with three decimals, at least `0.001`: to curl, 0 means no timeout.
  static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = max(
      1,
      seconds.multipliedReportingOverflow(by: 1000).partialValue
        + attoseconds / 1_000_000_000_000_000)
    let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
    return "\(milliseconds / 1000).\(fraction)"
  }
}

/// The result of a request by `curl`: the status and the first line of the answer.
struct CurlAnswer: Sendable, Hashable {
  static let statusMark = "appboot-status: "

  let status: Int
  /// The size of the answer's body in bytes.
  let size: Int
  /// The first line of the answer that is not empty; at most 200 characters.
  let firstLine: String

  /// Parses the output of `curl`; `nil` if it has no status.
  init?(output: String) {
    guard let mark = output.lastRange(of: "\n" + Self.statusMark) else { return nil }
    let numbers = output[mark.upperBound...].split(whereSeparator: \.isWhitespace).prefix(2).compactMap {
      Int($0)
    }
    guard let status = numbers.first, status > 0 else { return nil }
    self.status = status
    size = numbers.count > 1 ? numbers[1] : output.utf8.distance(from: output.startIndex, to: mark.lowerBound)
    let line = output[..<mark.lowerBound].split(whereSeparator: \.isNewline)
      .first { !$0.allSatisfy(\.isWhitespace) }
    firstLine = String((line ?? "").prefix(200))
  }

  /// Returns curl's reason for a failure, without its prefix `curl: (7)`.
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

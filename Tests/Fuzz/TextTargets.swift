@testable import AppBoot
@testable import AppBootCommands
@testable import AppBootLifecycle
@testable import AppBootRecords
@testable import AppBootSystem
@testable import AppBootTool

extension [UInt8] {
  /// The input as text, and its lines.
  var text: String { String(decoding: self, as: UTF8.self) }
  var lines: [String] {
    split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - URLs

/// Reads a URL in all of its forms; with a second line, the first one is also a pattern that it may match.
func fuzzURL(_ bytes: [UInt8]) {
  let lines = bytes.lines
  for line in lines.prefix(2) { checkURL(line) }
  guard let pattern = try? URLPattern(lines[0]) else { return }
  require(Set(pattern.names).count == pattern.names.count, "a placeholder occurs twice")
  if lines.count > 1, let url = URLParts(lines[1]), let values = pattern.match(url) {
    for name in pattern.names { require(values[name]?.isEmpty == false, "{\(name)} has no value") }
  }
  checkMatch(of: pattern)
}

private func checkURL(_ text: String) {
  _ = URLText.problem(with: text)
  if let parts = URLParts(text) {
    require(!parts.segments.contains(where: \.isEmpty) || text.contains("%"), "a part of the path is empty")
  }
  if let provider = ProviderURL(text) {
    let hasUser = text.split(separator: "/", maxSplits: 2).dropFirst().first?.contains("@") ?? false
    require(!hasUser || !provider.origin.contains("@"), "the origin has a user: \(shown(provider.origin))")
  }
  guard let address = HTTPAddress(text) else { return }
  for part in [address.authority, address.target] {
    require(
      part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the request has a space or control: \(shown(part))")
  }
  require(!address.shown.contains("?"), "the query is shown: \(shown(address.shown))")
  let again = HTTPAddress("\(address.isSecure ? "https" : "http")://\(address.authority)\(address.target)")
  require(
    again?.address == address.address && again?.target == address.target,
    "the address has changed: \(shown(text))")
}

/// Requires that a pattern matches itself with a value in place of each placeholder.
private func checkMatch(of pattern: URLPattern) {
  var text = pattern.text
  for name in pattern.names { text = text.replacing("{\(name)}", with: "v") }
  if pattern.isOpen { text = String(text.dropLast(while: "/").dropLast()) }
  guard let url = URLParts(text) else { return require(false, "the pattern is no URL: \(shown(text))") }
  require(pattern.match(url) != nil, "the pattern does not match itself: \(shown(text))")
}

extension String {
  /// Returns the text with each occurrence of a part replaced.
  fileprivate func replacing(_ part: String, with other: String) -> String {
    let (bytes, part) = (Array(utf8), Array(part.utf8))
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let isPart = bytes[place...].starts(with: part)
      result += isPart ? Array(other.utf8) : [bytes[place]]
      place += isPart ? part.count : 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the text without these characters at its end.
  fileprivate func dropLast(while characters: String) -> Substring {
    var rest = self[...]
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return rest
  }
}

// MARK: - Templates and durations

/// Reads a template; its parts, written again with escapes, give the same template.
func fuzzTemplate(_ bytes: [UInt8]) {
  let text = bytes.text
  let problems = Template.problems(in: text)
  let template = try? Template(text)
  require((template == nil) != problems.isEmpty, "the template and its problems disagree")
  for problem in problems { require(!problem.description.isEmpty, "a problem has no message") }
  if let template {
    let written = template.parts.map { part in
      switch part {
      case .text(let plain): plain.doubledBraces
      case .placeholder(let name): "{\(name)}"
      }
    }.joined()
    require((try? Template(written)) == template, "the template has changed: \(shown(written))")
    let filled = template.filled { _ in "" }
    require(filled.utf8.count <= text.utf8.count, "the template grows without values")
  }
  let placeholders = Placeholders(environment: { _ in "v" })
  if let template {
    _ = try? template.filled { name throws(PlaceholderError) in try placeholders.value(of: name) }
  }
  _ = TextParameter.problem(with: text)
  checkEnvironmentFile(bytes)
}

extension String {
  fileprivate var doubledBraces: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      result.unicodeScalars.append(scalar)
      if scalar == "{" || scalar == "}" { result.unicodeScalars.append(scalar) }
    }
  }
}

/// Requires that a file of variables has valid names, and that its problems show no value.
private func checkEnvironmentFile(_ bytes: [UInt8]) {
  let file = EnvironmentFile(parsing: bytes)
  let lines = 1 + bytes.count { $0 == 0x0A }
  for problem in file.problems {
    require((1...lines).contains(problem.line), "line \(problem.line) of \(lines)")
  }
  for (name, value) in file.variables {
    require(EnvironmentFile.isName(name.utf8), "the name \(shown(name)) is not valid")
    require(!value.utf8.contains(0), "a value has a zero byte")
  }
}

/// Reads a duration, a size and a version requirement; a duration is the same after it is written and read.
func fuzzDuration(_ bytes: [UInt8]) {
  let text = bytes.text
  do throws(DurationTextError) {
    let duration = try DurationText.parse(text)
    require(duration >= .zero && duration <= .nanoseconds(Int64.max), "\(shown(text)) is out of range")
    let exact = DurationText.exact(duration)
    require((try? DurationText.parse(exact)) == duration, "\(shown(text)) has changed: \(exact)")
    require(
      !DurationText.brief(nanoseconds: duration.nanoseconds).isEmpty, "\(shown(text)) has no short form")
  } catch {
    require(!error.description.isEmpty, "the error has no message")
    requireVisible(error.help, "the help")
  }
  if let size = try? ByteSize(parsing: text) {
    require(size.bytes >= 0 && !size.brief.isEmpty, "\(shown(text)) is \(size.bytes) bytes")
  }
  if let requirement = VersionRequirement(text), let version = VersionRequirement.version(in: text) {
    _ = requirement.fits(version)
  }
}

// MARK: - Answers of servers

/// Reads the output of curl and the response of a server. More bytes of a response do not change what was read before.
func fuzzCurl(_ bytes: [UInt8]) {
  let text = bytes.text
  let secrets = Secrets()
  secrets.add("hunter2hunter2")
  if let response = CurlResponse(output: text) {
    require(response.status > 0, "the status is \(response.status)")
    require(text.utf8.starts(with: response.body.utf8), "the body is not in the output")
    let line = response.firstLine(hiding: secrets)
    require(line.count <= 200 && !line.contains("\n"), "the first line is not one line")
    require(!line.contains("hunter2hunter2"), "the first line has a secret")
  }
  require(!CurlResponse.reason(in: text).contains("\n"), "the reason has several lines")
  checkConfiguration(text)
  checkResponse(bytes)
}

/// Requires that no text ends its line in curl's configuration.
private func checkConfiguration(_ text: String) {
  let request = CurlRequest(method: "POST", url: text, headers: [("X", text)], body: .text(text))
  let lines = request.configuration.utf8.split(separator: 0x0A)
  require(lines.count { $0.starts(with: "url = ".utf8) } == 1, "the configuration has another URL")
  let plain = CurlRequest(method: "POST", url: "x", headers: [("X", "x")], body: .text("x"))
  require(
    lines.count == plain.configuration.utf8.split(separator: 0x0A).count,
    "the configuration has other options")
}

private func checkResponse(_ bytes: [UInt8]) {
  let part = Array(bytes.prefix(bytes.choice % (bytes.count + 1)))
  switch (HTTPResponse.parse(part), HTTPResponse.parse(bytes)) {
  case (.notHTTP, let whole):
    if case .notHTTP = whole { return }
    require(false, "more bytes make it an answer")
  case (.invalid, let whole):
    if case .invalid = whole { return }
    require(false, "more bytes make the answer valid")
  case (.response(let first), .response(let whole)):
    require(first.status == whole.status, "more bytes change the status")
    require(!first.isComplete || whole.isComplete, "more bytes make the answer incomplete")
    require(whole.body.starts(with: first.body), "more bytes change the body")
  case (.response(let first), .invalid):
    require(!first.isComplete, "more bytes make a complete answer invalid")
  case (.response, _): require(false, "more bytes make it no answer")
  case (.incomplete, _): return
  }
}

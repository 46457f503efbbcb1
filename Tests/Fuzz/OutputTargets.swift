@testable import AppBoot
@testable import AppBootCommands
@testable import AppBootReports
@testable import AppBootSystem

// MARK: - Secrets

/// Hides the secrets of the first two lines in the others: in one piece, in pieces, and in their encoded forms.
func fuzzSecrets(_ bytes: [UInt8]) {
  let lines = bytes.lines
  let secrets = Secrets()
  // A mask must not become a part of a secret.
  let added = lines.prefix(2).filter { !$0.contains("*") && secrets.add($0) }.map(trimmed)
  let text = lines.dropFirst(2).joined(separator: "\n")
  let masked = secrets.masking(text)
  requireHidden(added, in: masked)
  require(
    masking(Array(text.utf8), secrets, choice: bytes.choice) == Array(masked.utf8),
    "pieces are masked otherwise")
  for secret in added { checkForms(of: secret, around: text, secrets) }
}

private func trimmed(_ text: String) -> [UInt8] { SecretForms.trimmed(Array(text.utf8)[...]) }

private func requireHidden(_ secrets: [[UInt8]], in masked: String) {
  let bytes = Array(masked.utf8)
  for secret in secrets where bytes.count >= secret.count {
    let isShown = (0...(bytes.count - secret.count)).contains { bytes[$0...].starts(with: secret) }
    require(!isShown, "a secret is shown: \(shown(masked))")
  }
}

/// Requires that a secret is hidden if it is a part of a JSON string, of a URL's query, or of a text in base64.
private func checkForms(of secret: [UInt8], around text: String, _ secrets: Secrets) {
  let value = String(decoding: secret, as: UTF8.self)
  var writer = JSONWriter()
  writer.array { $0.value(text.prefix(3) + value) }
  let json = secrets.masking(writer.text)
  // The writer also escapes the bracket after two number signs, which a search for the secret does not know.
  if !writer.text.contains("##"), let document = try? JSONDocument(parsing: SourceText(name: "", text: json))
  {
    requireHidden([secret], in: document.root.elements.first?.string ?? "")
  }
  let percent = secret.map { byte -> String in
    let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    let digits = String(byte, radix: 16, uppercase: true)
    return isPlain || "-._~".utf8.contains(byte)
      ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
  }.joined()
  require(secrets.masking(percent) != percent, "a percent-encoded secret is shown: \(shown(percent))")
  guard secret.count >= 8 else { return }
  for offset in 0..<3 {
    let encoded = Base64.text(of: [UInt8](repeating: 0x78, count: offset) + secret)
    require(secrets.masking(encoded) != encoded, "a secret in base64 is shown: \(shown(encoded))")
  }
}

/// Returns the bytes as a filter passes them on that receives them in pieces.
private func masking(_ bytes: [UInt8], _ secrets: Secrets, choice: Int) -> [UInt8] {
  var filter = SecretFilter(secrets)
  var result: [UInt8] = []
  for piece in pieces(of: bytes, choice: choice) {
    piece.withUnsafeBytes { filter.append($0) { result += $0 } }
  }
  filter.finish { result += $0 }
  return result
}

private func pieces(of bytes: [UInt8], choice: Int) -> [[UInt8]] {
  let size = 1 + choice % 13
  return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

// MARK: - Output of programs

/// Shows the output of a program on a terminal and in reports, and keeps its lines and its end.
func fuzzOutput(_ bytes: [UInt8]) {
  let text = bytes.text
  let ascii = bytes.choice % 2 == 0
  var style = TextStyle(usesASCII: ascii)
  style.breaksWorkflowCommands = true
  let line = style.visible(text)
  requireVisible(line, "a line")
  requireInert(line, "a line")
  require(
    !line.utf8.contains(0x0A) && (!ascii || line.utf8.allSatisfy { $0 < 0x80 }), "the line is \(shown(line))")
  let columns = 1 + bytes.choice % 40
  require(DisplayWidth.of(style.fit(line, to: columns)) <= columns, "the line is wider than \(columns)")
  for wrapped in style.wrap(text, to: columns) {
    requireVisible(wrapped, "a wrapped line")
    requireInert(wrapped, "a wrapped line")
  }
  requireXML("<a b=\"\(Markup.xml(text))\">\(Markup.visibleLines(text))</a>", "markup")
  let code = MarkdownText.code(text)
  requireVisible(code, "Markdown")
  require(!code.utf8.contains(0x0A), "the code has several lines")
  require(code.utf8.count { $0 == UInt8(ascii: "<") } == 2, "the code has elements: \(shown(code))")
  checkTail(bytes)
  checkLines(bytes)
}

/// Requires that a tail has the last bytes, for any pieces.
private func checkTail(_ bytes: [UInt8]) {
  let limit = 1 + bytes.choice % 29
  var tail = OutputTail(limit: limit)
  for piece in pieces(of: bytes, choice: bytes.choice / 29) { tail.append(piece) }
  require(tail.bytes == Array(bytes.suffix(limit)), "the tail has other bytes")
  require(tail.totalCount == bytes.count, "the tail counts \(tail.totalCount) bytes")
  let line = tail.lastLine
  require(line?.utf8.contains(0x0A) != true, "the last line has several lines")
}

/// Requires that the lines do not depend on the pieces, and that no byte is lost.
private func checkLines(_ bytes: [UInt8]) {
  var (whole, parts): ([[UInt8]], [[UInt8]]) = ([], [])
  var splitter = LineSplitter()
  bytes.withUnsafeBytes { splitter.append($0) { whole.append(Array($0)) } }
  splitter.finish { whole.append(Array($0)) }
  splitter = LineSplitter()
  for piece in pieces(of: bytes, choice: bytes.choice) {
    piece.withUnsafeBytes { splitter.append($0) { parts.append(Array($0)) } }
  }
  splitter.finish { parts.append(Array($0)) }
  require(whole == parts, "the lines depend on the pieces")
  let count = whole.reduce(0) { $0 + $1.count } + bytes.count { $0 == 0x0A }
  require(count == bytes.count, "\(bytes.count - count) bytes are lost")
}

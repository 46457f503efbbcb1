@testable import AppBootSystem
import Glibc

@testable import AppBoot
@testable import AppBootReports
@testable import AppBootTool

/// Aborts with a message unless a property holds; libFuzzer then writes the input to a file.
func require(_ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> String) {
  guard !holds() else { return }
  printError("the property does not hold: \(message())")
  abort()
}

/// Writes a message to standard error.
func printError(_ message: String) {
  let line = Array("fuzz: \(message)\n".utf8)
  _ = line.withUnsafeBytes { FileSystem.writeAll(2, $0) }
}

/// Returns a text in a message, cut, with its controls visible.
func shown(_ text: String) -> String { VisibleText.of(String(text.prefix(400)), ascii: true) }

/// Requires that a text for a terminal has no control and no direction character.
func requireVisible(_ text: String, _ what: String) {
  // Plain ASCII is the usual case.
  if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }) { return }
  for scalar in text.unicodeScalars {
    let value = scalar.value
    let isControl = (value < 0x20 && value != 0x0A) || (0x7F..<0xA0).contains(value)
    let isDirection =
      (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
      || [0x061C, 0x200E, 0x200F].contains(value)
    let isTag = (0xE0000...0xE007F).contains(value)
    require(!isControl && !isDirection && !isTag, "\(what) has U+\(String(value, radix: 16)): \(shown(text))")
  }
}

/// Requires that no line of a text is a workflow command of a CI system.
func requireInert(_ text: String, _ what: String) {
  for line in text.utf8.split(separator: 0x0A) {
    let words = line.drop { $0 == 0x20 || $0 == 0x09 }
    require(!words.starts(with: "::".utf8), "\(what) has a workflow command: \(shown(text))")
  }
  require(!text.contains("##["), "\(what) has a logging command: \(shown(text))")
}

/// Requires that a text is JSON, and returns its root.
@discardableResult
func requireJSON(_ text: String, _ what: String) -> JSONValue? {
  do throws(JSONError) {
    let document = try JSONDocument(parsing: SourceText(name: what, text: text))
    require(document.duplicateKeys.isEmpty, "\(what) has a key twice: \(shown(text))")
    return document.root
  } catch {
    require(false, "\(what) is not JSON: \(error.diagnostics.first?.message ?? ""): \(shown(text))")
    return nil
  }
}

/// Requires that a text is well-formed XML (W3C, "XML 1.0"), as far as AppBoot's reports use it.
func requireXML(_ text: String, _ what: String) {
  for scalar in text.unicodeScalars {
    let value = scalar.value
    let isAllowed = value >= 0x20 ? value & 0xFFFE != 0xFFFE : value == 0x0A || value == 0x09 || value == 0x0D
    require(isAllowed, "\(what) has U+\(String(value, radix: 16))")
  }
  var rest = text.utf8[...]
  var open: [String] = []
  while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
    requireReferences(rest[..<start], what)
    guard let end = endOfTag(rest[start...]) else { return require(false, "\(what): a tag has no end") }
    let tag = String(Substring(rest[rest.index(after: start)..<end]))
    rest = rest[rest.index(after: end)...]
    if tag.hasPrefix("?") || tag.hasPrefix("!") { continue }
    let name = String(tag.drop { $0 == "/" }.prefix { !" \n\t/".contains($0) })
    if tag.hasPrefix("/") {
      require(open.popLast() == name, "\(what): </\(shown(name))> closes no element")
    } else if !tag.hasSuffix("/") {
      open.append(name)
    }
    requireReferences(tag.utf8[...], what)
  }
  require(open.isEmpty, "\(what): <\(open.last ?? "")> is not closed")
}

/// Returns the index of the `>` that ends a tag, outside of attribute values.
private func endOfTag(_ text: Substring.UTF8View) -> Substring.UTF8View.Index? {
  var quote: UInt8?
  for index in text.indices {
    let byte = text[index]
    if let open = quote {
      if byte == open { quote = nil }
    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      quote = byte
    } else if byte == UInt8(ascii: ">") {
      return index
    }
  }
  return nil
}

private func requireReferences(_ text: Substring.UTF8View, _ what: String) {
  var rest = text
  while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
    rest = rest[rest.index(after: start)...]
    let name = String(Substring(rest.prefix { $0 != UInt8(ascii: ";") }.prefix(8)))
    let isNamed = ["amp", "lt", "gt", "quot", "apos"].contains(name)
    require(isNamed || name.hasPrefix("#"), "\(what): & begins no reference")
  }
}

/// An output that can be read back.
final class CapturedOutput {
  private static let descriptor: Int32 = {
    guard let file = tmpfile() else { return -1 }
    return fileno(file)
  }()
  let output: StandardOutput

  init() {
    require(ftruncate(Self.descriptor, 0) == 0 && lseek(Self.descriptor, 0, SEEK_SET) == 0, "no memory file")
    output = StandardOutput(descriptor: Self.descriptor)
  }

  /// The text that was written.
  var text: String {
    try? output.flush()
    let count = Int(lseek(Self.descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    _ = pread(Self.descriptor, &bytes, count, 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// A number that decides what is checked for an input (FNV-1a).
  var choice: Int { Int(reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 8) }
}

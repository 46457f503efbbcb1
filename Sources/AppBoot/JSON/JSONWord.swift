/// The diagnosis of a word or number that is not valid JSON.
struct JSONWord {
  let text: String

  /// The mistake, in one line.
  var message: String { verdict.message }
  /// The correction, in one line.
  var help: String { verdict.help }

  private var verdict: (message: String, help: String) {
    switch text.lowercased() {
    case "true", "false", "null":
      return ("unknown word \"\(text)\"", "write it in lower case: \(text.lowercased())")
    case "none", "nil", "undefined":
      return ("unknown word \"\(text)\"", "write null")
    case "yes", "on": return ("unknown word \"\(text)\"", "write true, or \"\(text)\" for a string")
    case "no", "off": return ("unknown word \"\(text)\"", "write false, or \"\(text)\" for a string")
    case "nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity":
      return ("JSON has no number \"\(text)\"", "write null, or \"\(text)\" as a string")
    default: break
    }
    guard let first = text.utf8.first, JSONWord.beginsNumber(first) else {
      if let near = ClosestName.to(text, among: ["true", "false", "null"]) {
        return ("unknown word \"\(text)\"", "did you mean \(near)?")
      }
      return ("unknown word \"\(text)\"", "write a string in quotation marks: \"\(text)\"")
    }
    return numberVerdict
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
  }

  private var numberVerdict: (message: String, help: String) {
    let sign = text.hasPrefix("-") ? "-" : ""
    let unsigned = sign.isEmpty ? text : String(text.dropFirst())
    if JSONWord.isNumber(unsigned), unsigned.hasPrefix("0") {
      let trimmed = unsigned.drop { $0 == "0" }
      let number = trimmed.first.map { $0.isWholeNumber } == true ? String(trimmed) : "0\(trimmed)"
      let help = "write \(sign)\(number), or \"\(text)\" for a string"
      return ("a number cannot begin with a leading zero", help)
    }
    if text.hasPrefix("+"), JSONWord.isNumber(String(text.dropFirst())) {
      return ("a number cannot begin with \"+\"", "write \(text.dropFirst())")
    }
    if unsigned.hasPrefix("."), JSONWord.isNumber("0" + unsigned) {
      return ("a digit is missing before the decimal point", "write \(sign)0\(unsigned)")
    }
    if let verdict = incompleteVerdict(unsigned) { return verdict }
    if unsigned.lowercased().hasPrefix("0x") {
      return ("JSON has no hexadecimal numbers", "write the number in decimal digits")
    }
    if JSONWord.isNumber(unsigned.filter { $0 != "_" }) {
      return ("a number cannot contain \"_\"", "write \(sign)\(unsigned.filter { $0 != "_" })")
    }
    return ("\"\(text)\" is not a number", "write a string in quotation marks: \"\(text)\"")
  }

  /// Returns the diagnosis of a number in which only digits are missing; `nil` for other words.
  private func incompleteVerdict(_ unsigned: String) -> (message: String, help: String)? {
    if unsigned.isEmpty { return ("a digit is missing after \"-\"", "write a number after it, or remove it") }
    if let last = unsigned.last, "eE+-".contains(last), JSONWord.isNumber(unsigned + "0") {
      return ("the exponent has no digits", "write them, for example \(text)2")
    }
    let parts = unsigned.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first?.isWholeNumber != true else { return nil }
    let corrected = "\(parts[0]).0\(parts[1])"
    guard JSONWord.isNumber(corrected) else { return nil }
    let sign = text.hasPrefix("-") ? "-" : ""
    return ("a digit is missing after the decimal point", "write \(sign)\(corrected)")
  }

  /// True if the word is a valid JSON number.
  var isNumber: Bool {
    let unsigned = text.hasPrefix("-") ? String(text.dropFirst()) : text
    let second = unsigned.utf8.dropFirst().first ?? 0
    let isPadded = unsigned.hasPrefix("0") && JSONWord.beginsNumber(second) && second != UInt8(ascii: ".")
    return JSONWord.isNumber(unsigned) && !isPadded
  }

  /// Returns whether a text is digits, with or without a fraction and an exponent. Leading zeros are allowed.
  private static func isNumber(_ text: String) -> Bool {
    var rest = text[...]
    func takeDigits() -> Bool {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    guard takeDigits() else { return false }
    if rest.first == "." {
      rest = rest.dropFirst()
      guard takeDigits() else { return false }
    }
    if rest.first == "e" || rest.first == "E" {
      rest = rest.dropFirst()
      if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }
}

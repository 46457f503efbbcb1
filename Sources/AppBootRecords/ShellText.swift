/// A namespace for functions that quote text for a POSIX shell.
package enum ShellText {
  /// Returns the text in single quotes.
  package static func quoted(_ text: String) -> String {
    // A quote and a combining mark after it are one character.
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : "\($1)" } + "'"
  }

  /// Returns the text as one word of a command line. A text that the shell reads as it stands gets no quotes.
  package static func word(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  /// Returns whether a byte has no special meaning in the shell (POSIX, Shell Command Language, 2.2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "@"),
      UInt8(ascii: "%"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}

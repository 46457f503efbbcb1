import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("Terminal")
struct TerminalTests {
  @Test("A pipe is not a terminal")
  func isTerminal() throws {
    let pipe = try Pipe()
    #expect(!Terminal.isTerminal(pipe.readEnd))
  }

  @Test(
    "Errors about a missing terminal differ from a lack of descriptors or memory",
    arguments: [
      (ENXIO, true), (ENODEV, true), (EIO, true), (ENOENT, true),
      (EMFILE, false), (ENFILE, false), (ENOMEM, false), (EACCES, false),
    ])
  func absence(code: Int32, hasGone: Bool) {
    #expect(Terminal.isAbsence(code) == hasGone)
  }

  @Test(
    "The first variable that is set selects the locale",
    arguments: [
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false),
      (["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"], true),
      (["LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE@euro"], false), ([:], false),
    ] as [([String: String], Bool)])
  func locale(variables: [String: String], expected: Bool) {
    #expect(Terminal.isUTF8Locale { variables[$0] } == expected)
  }
}

@Suite("TerminalColor")
struct TerminalColorTests {
  @Test(
    "A colour is parsed from an answer",
    arguments: [
      ("\u{1B}]11;rgb:0000/0000/0000\u{07}\u{1B}[?62;c", true),
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?1;2c", false),
      ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{07}", true),
      ("\u{1B}]11;rgb:fd/f6/e3\u{07}", false),
      ("\u{1B}]11;rgba:0000/0000/0000/ffff\u{07}", true),
      ("typed ahead\u{1B}]11;rgb:f/f/f\u{07}", false),
    ])
  func background(answer: String, isDark: Bool) {
    #expect(TerminalColor.background(in: Array(answer.utf8))?.isDark == isDark)
  }

  @Test(
    "An answer without a colour gives no colour",
    arguments: [
      "", "\u{1B}[?62;c", "\u{1B}]11;rgb:0000/0000\u{07}", "\u{1B}]11;rgb:0000/0000/0000",
      "\u{1B}]11;rgb:00000/0/0\u{07}", "\u{1B}]11;rgb:xx/00/00\u{07}", "\u{1B}]11;rgb:-1/00/00\u{07}",
      "\u{1B}]11;rgb://\u{07}", "\u{1B}]11;cmyk:0/0/0\u{07}",
    ])
  func noColour(answer: String) {
    #expect(TerminalColor.background(in: Array(answer.utf8)) == nil)
  }

  @Test("Green has the largest weight in the luma")
  func luminance() {
    #expect(!TerminalColor(red: 0, green: 1, blue: 0).isDark)
    #expect(TerminalColor(red: 1, green: 0, blue: 1).isDark)
  }

  @Test("An answer is complete if it contains the answer to DA1")
  func complete() {
    #expect(TerminalColor.isComplete(Array("\u{1B}]11;rgb:c/c/c\u{07}\u{1B}[?62;22c".utf8)))
    #expect(!TerminalColor.isComplete(Array("\u{1B}]11;rgb:c/c/c\u{07}\u{1B}[?62".utf8)))
    #expect(!TerminalColor.isComplete([]))
  }

  @Test(
    "COLORFGBG selects a dark or light background",
    arguments: [
      ("15;0", true), ("0;15", false), ("0;default;15", false), ("7;8", true), ("0;7", false),
      ("15;default", nil), ("", nil), ("1;16", nil),
    ] as [(String, Bool?)])
  func colorFGBG(text: String, isDark: Bool?) {
    #expect(TerminalColor.isDark(colorFGBG: text) == isDark)
  }
}

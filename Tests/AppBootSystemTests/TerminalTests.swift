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

  @Test(
    "COLORFGBG selects a dark or light background",
    arguments: [
      ("15;0", true), ("0;15", false), ("0;default;15", false), ("7;8", true), ("0;7", false),
      ("15;default", nil), ("", nil), ("1;16", nil),
    ] as [(String, Bool?)])
  func colorFGBG(text: String, isDark: Bool?) {
    #expect(Terminal.isDark(colorFGBG: text) == isDark)
  }
}

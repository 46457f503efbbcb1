import Testing

@testable import AppBoot

@Suite("An environment file")
struct EnvironmentFileTests {
  private func file(_ text: String) -> EnvironmentFile {
    EnvironmentFile(parsing: Array(text.utf8)) { ["OUTER": "outer", "EMPTY": ""][$0] }
  }

  @Test(
    "A line sets a variable",
    arguments: [
      ("A=b", "b"), ("A=", ""), ("A= b c ", "b c"), ("  A = b\t", "b"), ("export A=b", "b"),
      (" export\tA=b", "b"),
      ("A=b\r\n", "b"), ("A=b\r", "b"), ("\u{FEFF}A=b", "b"), ("A=b=c", "b=c"), ("A=b # c", "b"),
      ("A=b#c", "b#c"),
      ("A=#b", "#b"), ("A= # b", ""), ("A=\"\"", ""), ("A=''", ""), ("A='b # c' # d", "b # c"),
      ("A=\"b # c\"#d", "b # c"), ("A='\\n$B\"'", "\\n$B\""), ("A=\"\\n\\r\\t\\\"\\\\\\$\"", "\n\r\t\"\\$"),
      ("A=\"C:\\dir\"", "C:\\dir"), ("A=\"$B ${C D}\"", "$B ${C D}"), ("A=$B\\n", "$B\\n"),
      ("A=b'c'", "b'c'"),
      ("A='b\nc'\nD=e", "b\nc"), ("A=\"b\nc\"", "b\nc"), ("A=ä €", "ä €"), ("A=1\nA=2", "2"),
      ("A.B-c=1\nA=2", "2"), ("B=in\nA=${B}/${OUTER}", "in/outer"), ("OUTER=in\nA=\"${OUTER}\"", "outer"),
      ("A=${EMPTY:-x y} z", "x y z"), ("A=\"${NO:-}\"", ""), ("A='${OUTER}'", "${OUTER}"),
      ("A=\"\\${OUTER}\"", "${OUTER}"), ("A=$OUTER${", "$OUTER${"),
    ])
  func values(text: String, value: String) {
    #expect(file(text).variables["A"] == value)
    #expect(file(text).problems.isEmpty)
  }

  @Test(
    "Blank lines and comments set no variables", arguments: ["", "\n\n", "# A=b", "  # A=b\n\t\n", "\r\n"])
  func empty(text: String) {
    #expect(file(text).variables.isEmpty)
    #expect(file(text).problems.isEmpty)
  }

  @Test(
    "A mistake names its line, and never shows a value",
    arguments: [
      (
        "\nsecret", 2,
        "the line has no \"=\": write NAME=VALUE, or remove the line, because steps inherit the environment"
      ),
      ("secret: x", 1, "the line has no \"=\": write NAME=VALUE"),
      (
        "A='sec\\'ret'", 1,
        "only a comment may follow the closing quote: use double quotes if the value needs escapes"
      ),
      (
        "A=secret\rB=2", 1,
        "a carriage return alone does not end a line: use LF or CR LF, or write \"\\r\" in double quotes"
      ),
      (
        "B='x\ny'\n=secret", 3,
        "a name has letters, digits, \"_\", \".\" and \"-\", and no digit first: write NAME=VALUE"
      ),
      (
        "1A=secret", 1,
        "a name has letters, digits, \"_\", \".\" and \"-\", and no digit first: write NAME=VALUE"
      ),
      ("A=secret${NO}", 1, "the variable NO is not set: write ${NO:-DEFAULT}"),
      (
        "A=${NO:-${B:-x}}", 1,
        "${NO:-…} is neither ${NAME} nor ${NAME:-TEXT} with a plain TEXT: write one of these, or put "
          + "the text in single quotes to keep it as it is"
      ),
      (
        "A=${NO-x}", 1,
        "${NO-…} is neither ${NAME} nor ${NAME:-TEXT} with a plain TEXT: write one of these, or put "
          + "the text in single quotes to keep it as it is"
      ),
      (
        "A=\"${NO:+x}\"", 1,
        "${NO:+…} is neither ${NAME} nor ${NAME:-TEXT} with a plain TEXT: write one of these, or put "
          + "the text in single quotes to keep it as it is"
      ),
      (
        ".A=secret", 1,
        "a name has letters, digits, \"_\", \".\" and \"-\", and no digit first: write NAME=VALUE"
      ),
      (
        "set A=secret", 1,
        "a name has letters, digits, \"_\", \".\" and \"-\", and no digit first: write NAME=VALUE"
      ),
      ("B=1\nA=\"secret\n\n", 2, "the quote \" has no end: add it"),
      ("A='secret", 1, "the quote ' has no end: add it"),
      ("A='b' secret", 1, "only a comment may follow the closing quote"),
      ("A='b\nc' secret", 2, "only a comment may follow the closing quote"),
      ("A=sec\0ret", 1, "A has a zero byte"),
    ])
  func mistakes(text: String, line: Int, message: String) {
    #expect(file(text).problems == [EnvironmentFile.Problem(line: line, text: message)])
    #expect(file(text).variables["A"] == nil)
  }

  @Test("Bytes that are not UTF-8 are a mistake")
  func invalid() {
    let file = EnvironmentFile(parsing: Array("A=".utf8) + [0xFF, 0x0A] + Array("B=c".utf8))
    #expect(file.problems == [EnvironmentFile.Problem(line: 1, text: "A is not UTF-8")])
    #expect(file.variables == ["B": "c"])
  }

  @Test("The lines after a mistake are read, and the problems of a wrong file are limited")
  func several() {
    let file = file("a\nA=1\nb\nB=2")
    #expect(file.problems.map(\.line) == [1, 3])
    #expect(file.variables == ["A": "1", "B": "2"])
    #expect(self.file(String(repeating: "x\n", count: 1000)).problems.count == 16)
  }
}

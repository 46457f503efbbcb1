import AppBoot
import AppBootReports
import Testing

@testable import AppBootTool

@Suite("Lines of a step's output")
struct OutputLinesTests {
  private func text(
    _ line: String, _ step: Int = 0, id: String = "api", columns: Int = 6, _ style: TextStyle = TextStyle()
  ) -> String {
    OutputLines.text(of: line, step, id, columns: columns, style)
  }

  @Test("Ids are padded to the longest one, and cut at 20 columns")
  func columns() {
    #expect(text("ready") == "api    | ready\n")
    #expect(text("ready", id: "worker") == "worker | ready\n")
    let long = String(repeating: "x", count: 30)
    #expect(text("ready", id: long, columns: 20) == "xxxxxxxxxxxxxxxxxxx… | ready\n")
  }

  @Test("A step has one colour, and its neighbours have others")
  func colors() {
    let style = TextStyle(usesColor: true)
    #expect(text("a", 0, style) == "\u{1B}[36mapi    |\u{1B}[0m a\n")
    #expect(text("a", 1, style) == "\u{1B}[33mapi    |\u{1B}[0m a\n")
    #expect(text("a", 10, style) == text("a", 0, style))
  }

  @Test("Control sequences are shown, and colours are removed")
  func controls() {
    #expect(text("\u{1B}[2J\u{1B}[1;32mok\u{1B}[0m\u{1B}[K\u{7}") == "api    | <U+001B>[2Jok<U+0007>\n")
    #expect(text("\u{1B}]0;title\u{7}") == "api    | <U+001B>]0;title<U+0007>\n")
    #expect(text("\u{1B}[31") == "api    | <U+001B>[31\n")
  }

  @Test(
    "No line is a command for a runner of CI jobs",
    arguments: [
      ("::error::x", #"\::error::x"#), ("  ::set-output name=a::b", #"\  ::set-output name=a::b"#),
      ("a ##[error]x", #"a ##\[error]x"#), ("##vso[task.complete]", #"##vso\[task.complete]"#),
      ("##teamcity[blockOpened]", #"##teamcity\[blockOpened]"#), ("## a [b]", "## a [b]"), ("a::b", "a::b"),
    ])
  func commands(line: String, shown: String) {
    var style = TextStyle()
    style.breaksWorkflowCommands = true
    #expect(text(line, 0, style) == "api    | \(shown)\n")
  }
}

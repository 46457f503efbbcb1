import AppBoot
import AppBootRecords
import Testing

@Suite("The command line of a process")
struct CommandLineTextTests {
  private func text(_ arguments: String..., secrets: [String] = []) -> String {
    let hidden = Secrets()
    for secret in secrets { hidden.add(secret) }
    return CommandLineText.of(arguments, hiding: hidden)
  }

  @Test("A command line has quotes only where a shell needs them")
  func quotes() {
    #expect(text("psql", "-f", "a/b.sql", "--host=a:1,b@c%+") == "psql -f a/b.sql --host=a:1,b@c%+")
    #expect(text("sh", "-c", "echo \"$A\" | wc") == "sh -c 'echo \"$A\" | wc'")
    #expect(text("echo", "it's", "", "two\nlines", "é") == #"echo 'it'\''s' '' 'two\#nlines' 'é'"#)
    let quoted = text("echo", "a'\u{301}; id")
    #expect(quoted.unicodeScalars.elementsEqual(#"echo 'a'\''\#u{301}; id'"#.unicodeScalars))
  }

  @Test("A secret is hidden although it has a quote, and although the command line is cut inside it")
  func secrets() {
    #expect(text("curl", "-u", "me:s3cr'et", secrets: ["s3cr'et"]) == "curl -u 'me:***'")
    let long = String(repeating: "x", count: 490)
    let cut = text("echo", long + "hunter2-hunter2", secrets: ["hunter2-hunter2"])
    #expect(!cut.contains("hunter") && cut.contains("***"))
  }

  @Test("A long command line ends with an ellipsis")
  func long() {
    let cut = text("echo", String(repeating: "é", count: 10_000), "end")
    #expect(cut.unicodeScalars.count == 500 && cut.hasSuffix("é…"))
    #expect(text("echo", String(repeating: "x", count: 495)).unicodeScalars.count == 500)
  }
}

import AppBoot
import AppBootReports
import Testing

@Suite("Text without commands of a CI system")
struct VisibleTextTests {
  @Test(
    "A string in JSON contains no command of a CI system",
    arguments: [
      "##[error]x", "a ##[group]", "###[", "é##[", "##vso[task]", "##teamcity[x]", "#[", "# #[", "##é[",
      "##a-[", "[##",
      String(repeating: "x", count: 70) + "##[",
    ])
  func workflowCommands(text: String) throws {
    var json = JSONWriter()
    json.object {
      $0.member("a", 1); $0.member(text, text); $0.key(text); $0.value(text)
    }
    #expect(VisibleText.inert(json.text) == json.text)
    #expect(json.text.contains("\\u005b") == (VisibleText.inert(text) != text))
    let root = try JSONDocument(parsing: SourceText(name: "json", text: json.text)).root
    #expect(root.members.dropFirst().allSatisfy { $0.key.string == text && $0.value.string == text })
  }
}

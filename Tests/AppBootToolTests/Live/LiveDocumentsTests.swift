import AppBootSystem
import AppBootTestSupport
import Testing

/// Checks the screens of `Docs/live.md`, which are made from the transcripts in `Docs/samples/live`.
///
/// `APPBOOT_RECORD=1 swift test --filter DocumentsTests` records them.
@Suite("The screens of the live view in Docs")
struct LiveDocumentsTests {
  private static let folder = FileSystem.join(
    FileSystem.directory(of: #filePath), "../../../Docs/samples/live")

  @Test(
    "A transcript of the live view gives the recorded screens and pictures",
    arguments: ["launch", "failure", "services", "crash-loop", "flood", "explanation"])
  func areCurrent(name: String) throws {
    let path = FileSystem.join(Self.folder, name)
    let transcript = String(decoding: try FileSystem.readFile("\(path).jsonl"), as: UTF8.self)
    try expect(try LiveTranscript(transcript).text, in: "\(path).txt")
    let last = try #require(try LiveTranscript(transcript, usesColor: true).screens.last)
    let picture = TerminalPicture.svg(last.rows, columns: last.columns, title: last.title)
    try expect(picture, in: "\(path).svg")
  }

  private func expect(_ text: String, in path: String) throws {
    if ProcessEnvironment.value(of: "APPBOOT_RECORD") == "1" {
      try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
      Issue.record("recorded \(path): look at it, and run again without APPBOOT_RECORD")
      return
    }
    #expect(text == String(decoding: try FileSystem.readFile(path), as: UTF8.self), "\(path) is out of date")
  }
}

import AppBoot
import Testing

@testable import AppBootCommands

@Suite("Answers by curl")
struct CurlAnswerTests {
  @Test("An answer has a status and a first line")
  func answer() {
    let answer = CurlAnswer(output: "\n \nno such key\nmore\nappboot-status: 403 18\n")
    #expect(answer?.size == 18)
    #expect(answer?.status == 403 && answer?.firstLine(hiding: Secrets()) == "no such key")
    #expect(CurlAnswer(output: "\nappboot-status: 204\n")?.firstLine(hiding: Secrets()) == "")
    #expect(CurlAnswer(output: "\nappboot-status: 000\n") == nil)
    #expect(CurlAnswer(output: "nothing") == nil)
    #expect(
      CurlAnswer.reason(in: "\nappboot-status: 000\ncurl: (7) Failed to connect\n") == "Failed to connect")
  }
}

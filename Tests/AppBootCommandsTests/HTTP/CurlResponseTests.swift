import AppBoot
import Testing

@testable import AppBootCommands

@Suite("Responses by curl")
struct CurlResponseTests {
  @Test("A response has a status and a first line")
  func answer() {
    let answer = CurlResponse(output: "\n \nno such key\nmore\nappboot-status: 403 18\n")
    #expect(answer?.size == 18)
    #expect(answer?.status == 403 && answer?.firstLine(hiding: Secrets()) == "no such key")
    #expect(CurlResponse(output: "\nappboot-status: 204\n")?.firstLine(hiding: Secrets()) == "")
    #expect(CurlResponse(output: "\nappboot-status: 000\n") == nil)
    #expect(CurlResponse(output: "nothing") == nil)
    #expect(
      CurlResponse.reason(in: "\nappboot-status: 000\ncurl: (7) Failed to connect\n") == "Failed to connect")
  }
}

import AppBootSystem
import Testing

@testable import AppBootCommands

@Suite("Errors of curl")
struct CurlErrorTests {
  @Test(
    "Each exit code of curl has its error",
    arguments: [
      (5, "http://a could not be reached: the proxy was not found: x"), (6, "http://a was not found: x"),
      (7, "http://a does not accept connections: x"),
      (28, "http://a did not answer within 2s"), (52, "http://a gave no valid response: x"),
      (60, "no secure connection to http://a: x"), (63, "http://a answered with more than 65536 bytes"),
      (2, "http://a could not be reached: curl exited with code 2: x"),
    ] as [(Int32, String)])
  func failures(code: Int32, text: String) {
    let output = "curl: (\(code)) x\n"
    let error = CurlError(
      .exited(code), output: output, target: "http://a", limit: 65_536, timeout: .seconds(2))
    #expect(error?.description == text)
  }

  @Test("A connection that fails is one to a proxy if a variable names its host")
  func proxy() {
    let reason = "Failed to connect to corp port 9 after 0 ms: Could not connect to server"
    #expect(CurlError.proxy(in: reason, among: ["http://corp:9"]) == "corp")
    #expect(CurlError.proxy(in: reason, among: ["http://other:9"]) == nil)
    #expect(CurlError.proxy(in: "x", among: ["http://corp:9"]) == nil)
  }
}

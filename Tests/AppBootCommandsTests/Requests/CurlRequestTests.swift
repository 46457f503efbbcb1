import AppBoot
import AppBootSystem
import Testing

@testable import AppBootCommands

@Suite("Requests by curl")
struct CurlRequestTests {
  @Test("A request's configuration quotes every value")
  func configuration() throws {
    let request = CurlRequest(
      method: "POST", url: "https://example.org/a?b={c}",
      headers: [("X-Empty", ""), ("X-Quoted", #"a "b" \ c"#)], body: .text(#"{"token":"\n"}"#),
      timeout: .seconds(2))
    #expect(
      request.configuration == #"""
        silent
        show-error
        globoff
        request = "POST"
        url = "https://example.org/a?b={c}"
        proto = "=http,https"
        max-time = "2.000"
        max-filesize = "65536"
        header = "X-Empty;"
        header = "X-Quoted: a \"b\" \\ c"
        header = "Content-Type:"
        header = "Expect:"
        data-raw = "{\"token\":\"\\n\"}"
        write-out = "\nappboot-status: %{http_code} %{size_download}\n"

        """#)
  }

  @Test(
    "A timeout is written in seconds, and never as zero",
    arguments: [
      (Duration.seconds(10), "10.000"), (.milliseconds(250), "0.250"), (.milliseconds(1005), "1.005"),
      (.nanoseconds(1), "0.001"), (.zero, "0.001"),
    ])
  func seconds(duration: Duration, text: String) {
    #expect(CurlRequest.seconds(duration) == text)
  }

  @Test("A header with a line break, a file or an empty name is invalid")
  func headers() {
    #expect(CurlRequest.isValidHeader("Authorization", "Bearer a\tb é"))
    for (name, value) in [
      ("", "a"), ("A B", "a"), ("@file", "a"), ("A:", "a"), ("A", "a\nB: c"), ("A", "\r"),
    ] {
      #expect(!CurlRequest.isValidHeader(name, value))
    }
  }

  @Test("A provider has an http or https URL")
  func urls() {
    for text in ["http://a", "HTTPS://a:8443/b?c=d", "http://user:secret@a/b"] {
      #expect(ProviderURL(text) != nil)
    }
    #expect(
      ProviderURL("https://user:secret@Push.Example:1/b?key=secret")?.origin == "https://push.example:1")
    for text in [
      "ftp://a", "file:///etc/passwd", "a", "", "http://", "http:///a", "http://a b", "http://a\n",
    ] {
      #expect(ProviderURL(text) == nil)
    }
  }

  @Test("An answer has a status and a first line")
  func answer() {
    let answer = CurlAnswer(output: "\n \nno such key\nmore\nappboot-status: 403 18\n")
    #expect(answer?.size == 18)
    #expect(answer?.status == 403 && answer?.firstLine == "no such key")
    #expect(CurlAnswer(output: "\nappboot-status: 204\n")?.firstLine == "")
    #expect(CurlAnswer(output: "\nappboot-status: 000\n") == nil)
    #expect(CurlAnswer(output: "nothing") == nil)
    #expect(
      CurlAnswer.reason(in: "\nappboot-status: 000\ncurl: (7) Failed to connect\n") == "Failed to connect")
  }

  @Test(
    "Each exit code of curl has its error",
    arguments: [
      (6, "http://a was not found: x"), (7, "http://a does not accept connections: x"),
      (28, "http://a did not answer within 2s"), (52, "http://a closed the connection without an answer: x"),
      (60, "no secure connection to http://a: x"), (63, "http://a answered with more than 65536 bytes"),
      (2, "http://a could not be reached: curl exited with code 2: x"),
    ] as [(Int32, String)])
  func failures(code: Int32, text: String) {
    let output = "curl: (\(code)) x\n"
    let error = CurlError(
      .exited(code), output: output, target: "http://a", limit: 65_536, timeout: .seconds(2))
    #expect(error?.description == text)
  }
}

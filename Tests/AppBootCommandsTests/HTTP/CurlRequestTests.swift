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
    "A request to this machine does not go through a proxy",
    arguments: [
      ("http://127.0.0.1:80/", true), ("http://LOCALHOST/", true), ("https://[::1]:8443/a", true),
      ("http://a.localhost/", true), ("http://127.example.org/", false), ("http://10.0.0.1/", false),
    ])
  func proxy(url: String, isDirect: Bool) {
    let lines = CurlRequest(url: url).configuration.split(separator: "\n")
    #expect(lines.contains(#"noproxy = "*""#) == isDirect)
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
}

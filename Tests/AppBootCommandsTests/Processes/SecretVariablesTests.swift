import AppBoot
import AppBootTestSupport
import Testing

@Suite("Variables in header fields", .ownThread)
struct SecretVariablesTests {
  private static let headers = #""headers": { "Authorization": "Bearer {env.KEY}" }"#

  private static let entries = [
    #"{ "command": "HTTPRequest", "with": { "url": "https://a.example", \#(headers) } }"#,
    #"{ "command": "WaitFor", "with": { "http": { "url": "https://a.example", \#(headers) } } }"#,
    #"{ "command": "RegisterRemoteNotifications", "with": { "provider": "https://a.example", \#(headers) } }"#,
    #"{ "command": "RunService", "with": { "arguments": ["a"], "ready": { "http": { "url": "https://a.example", \#(headers) } } } }"#,
  ]

  @Test("A variable in a header field is secret in the launch and in its event handlers", arguments: entries)
  func values(entry: String) throws {
    var launch = TestLaunch("[\(entry)]")
    launch.environment = ["KEY": "hunter2-secret", "OTHER": "plain-value"]
    #expect(try launch.plan().environment.secrets.masking("hunter2-secret plain-value") == "*** plain-value")
    guard !entry.contains("RunService") else { return }
    launch.members = #""on": { "openURL": [\#(entry)] }, "#
    launch.commands = "[]"
    #expect(try launch.plan().environment.secrets.masking("hunter2-secret plain-value") == "*** plain-value")
  }
}

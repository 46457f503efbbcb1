import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("RegisterRemoteNotifications without a provider", .ownThread)
struct DeviceTokenTests {
  private let launch = TestLaunch(#"[ "RegisterRemoteNotifications" ]"#)

  @Test("A token is created once and stored across launches")
  func keepsToken() throws {
    let first = try launch.run()
    let token = try #require(first[0].details.emitted.first?.payload)
    #expect(token.utf8.count == 64 && token.allSatisfy(\.isHexDigit))
    #expect(first[0].details.emitted.map(\.name) == ["didRegisterForRemoteNotifications"])
    #expect(first[0].details.note == "token \(token.prefix(8))…, new")
    let second = try launch.run()
    #expect(second[0].details.emitted.first?.payload == token)
    #expect(second[0].details.note == "token \(token.prefix(8))…")
  }

  @Test("Each state store has its own token")
  func isRandom() throws {
    let token = try launch.run()[0].details.emitted.first?.payload
    #expect(try TestLaunch(launch.commands).run()[0].details.emitted.first?.payload != token)
  }

  @Test("Only the owner can read the token's file")
  func mode() throws {
    let directory = try TemporaryDirectory()
    var launch = launch
    launch.state = DirectoryStateStore(path: directory.file("state"))
    #expect(try launch.run().succeeded)
    #expect(try FileSystem.permissions(directory.file("state/device-token")) == 0o600)
  }

  @Test("A token written by hand may have white space around it")
  func byHand() throws {
    let digits = String(repeating: "aB", count: 32)
    try launch.state.write("device-token", Array(" \(digits)\r\n".utf8))
    #expect(try launch.run()[0].details.emitted.first?.payload == digits.lowercased())
  }

  @Test(
    "A damaged token fails the step, and the message has a remedy",
    arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "a\0", count: 64)])
  func damaged(text: String) throws {
    try launch.state.write("device-token", Array(text.utf8))
    let record = try launch.run()
    let words =
      "memory/device-token is damaged: it must hold 64 hexadecimal digits; remove it, and the next launch "
      + "makes a new token"
    #expect(record.failures.first?.state.failure?.message == words)
    let emitted = record[0].details.emitted.first
    #expect(emitted?.name == "didFailToRegisterForRemoteNotifications" && emitted?.payload == words)
  }
}

/// A push service that logs the registrations, or refuses them.
private final class FakePushService: PushService {
  struct Refusal: Error, CustomStringConvertible { let description = "no entitlement" }
  private let log = Lock<[PushRegistration]>([])
  let refuses: Bool

  init(refuses: Bool = false) { self.refuses = refuses }

  var registrations: [PushRegistration] { log.withLock(\.self) }

  func register(_ registration: PushRegistration) throws {
    if refuses { throw Refusal() }
    log.withLock { $0.append(registration) }
  }
}

@Suite("RegisterRemoteNotifications with a push service", .ownThread)
struct PushServiceTests {
  private func launch(_ service: FakePushService, _ parameters: String = "{}") -> TestLaunch {
    var launch = TestLaunch(#"[ { "command": "RegisterRemoteNotifications", "with": \#(parameters) } ]"#)
    launch.registry.provide(service, for: .pushService)
    return launch
  }

  @Test("The command asks the service, and creates no token")
  func asks() throws {
    let service = FakePushService()
    let launch = launch(service)
    let record = try launch.run()
    #expect(record.succeeded && record[0].details.note == "asked the push service")
    #expect(record[0].details.emitted.isEmpty)
    #expect(try launch.state.read("device-token") == nil)
    #expect(service.registrations == [PushRegistration()])
  }

  @Test("The service gets the permissions, the categories and the provider with its secrets")
  func parameters() throws {
    let service = FakePushService()
    var launch = launch(
      service,
      #"""
      { "permissions": ["alert", "badge"], "provider": "https://push.example", "timeout": "3s",
        "headers": { "Authorization": "Bearer {env.PUSH_KEY}" },
        "categories": [ { "id": "NOTE", "actions": [
          { "id": "open", "title": "Open", "opensApp": true },
          { "id": "reply", "title": "Reply", "textButton": "Send" } ] } ] }
      """#)
    launch.environment = ["PUSH_KEY": "key-7"]
    #expect(try launch.run().succeeded)
    let registration = try #require(service.registrations.first)
    #expect(registration.permissions == [.alert, .badge])
    let actions = [
      PushRegistration.Action(id: "open", title: "Open", opensApp: true),
      PushRegistration.Action(id: "reply", title: "Reply", textButton: "Send"),
    ]
    #expect(registration.categories == [PushRegistration.Category(id: "NOTE", actions: actions)])
    let provider = PushRegistration.Provider(
      url: "https://push.example", headers: ["Authorization": "Bearer key-7"], timeout: .seconds(3),
      reason: .normal)
    #expect(registration.provider == provider)
  }

  @Test("A refusal of the service fails the step, and is an event")
  func refusal() throws {
    let record = try launch(FakePushService(refuses: true)).run()
    #expect(record.failures.first?.state.failure?.message == "no entitlement")
    #expect(record[0].details.emitted.map(\.name) == ["didFailToRegisterForRemoteNotifications"])
  }

  @Test("An unknown permission is an error before the launch")
  func unknownPermission() throws {
    let problems = try launch(FakePushService(), #"{ "permissions": ["bell"] }"#).problems()
    #expect(problems.count == 1 && problems.first?.contains("bell") == true)
  }
}

private let hasCurl = (try? ProcessRequest(["curl", "--version"], captureOutput: true).start()) != nil

@Suite("RegisterRemoteNotifications with a provider", .ownThread, .enabled(if: hasCurl))
struct RegisterRemoteNotificationsTests {
  private let server: HTTPServer

  init() throws { server = try HTTPServer() }

  private func launch(_ more: String = "", url: String? = nil) -> TestLaunch {
    let parameters = #"{ "provider": "\#(url ?? server.url("/devices"))" \#(more) }"#
    return TestLaunch(#"[ { "command": "RegisterRemoteNotifications", "with": \#(parameters) } ]"#)
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    let record = try launch.run()
    let message = record.failures.first?.state.failure?.message
    let emitted = record[0].details.emitted
    #expect(emitted.map(\.name) == ["didFailToRegisterForRemoteNotifications"])
    #expect(emitted.first?.payload == message)
    return message ?? "no failure"
  }

  private var origin: String { "http://127.0.0.1:\(server.port)" }

  @Test("The token is sent as JSON with the manifest's headers")
  func registers() throws {
    var launch = launch(#", "headers": { "Authorization": "Bearer {env.KEY}", "X-Empty": "" }"#)
    launch.environment = ["KEY": #"s"e\cret"#]
    launch.options = LaunchOptions(reason: .notification)
    let record = try launch.run()
    let token = try #require(record[0].details.emitted.first?.payload)
    #expect(record[0].details.note == "token \(token.prefix(8))…, new, registered with \(origin)")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/devices")
    #expect(
      request.text == #"{"token":"\#(token)","platform":"\#(Host.platform)","reason":"notification"}"#)
    #expect(request.header("content-type") == "application/json")
    #expect(request.header("authorization") == #"Bearer s"e\cret"#)
    #expect(request.header("x-empty")?.isEmpty == true)
  }

  @Test("A rejection is reported with the status and the first line of the response")
  func rejected() throws {
    server.enqueue(.status(500, body: "no room\nfor anybody"))
    #expect(try failure(launch()) == "\(origin) answered with status 500: no room")
    server.enqueue(.status(404))
    #expect(try failure(launch()) == "\(origin) answered with status 404")
  }

  @Test("A redirect is not followed")
  func redirect() throws {
    server.enqueue(.status(302, headers: ["Location": "file:///etc/passwd"]))
    #expect(try failure(launch()) == "\(origin) answered with status 302")
    #expect(server.requests.count == 1)
  }

  @Test("A connection closed without a response fails the step")
  func closed() throws {
    server.enqueue(.closeConnection)
    #expect(try failure(launch()).hasPrefix("\(origin) gave no valid response: "))
  }

  @Test("A refused connection fails the step")
  func refused() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    let message = try failure(launch(url: "http://127.0.0.1:1/"))
    #expect(message.hasPrefix("http://127.0.0.1:1 does not accept connections: "))
  }

  @Test("A missing response fails the step at its timeout")
  func tooSlow() throws {
    server.enqueue(.held(Gate(), status: 200))
    #expect(try failure(launch(#", "timeout": "50ms""#)) == "\(origin) did not answer within 50ms")
  }

  @Test("A response over the limit fails the step")
  func tooLarge() throws {
    server.enqueue(.status(200, body: String(repeating: "x", count: 100_000)))
    #expect(try failure(launch()) == "\(origin) answered with more than 65536 bytes")
  }

  @Test("A response over the limit without a length fails the step", arguments: [65_537, 200_000, 5_000_000])
  func tooLargeUnannounced(count: Int) throws {
    server.enqueue(.unannounced(status: 200, body: String(repeating: "x", count: count)))
    #expect(try failure(launch()) == "\(origin) answered with more than 65536 bytes")
    server.enqueue(.unannounced(status: 200, body: String(repeating: "x", count: 65_536)))
    #expect(try launch().run().succeeded)
  }

  @Test("Secrets are passed to curl on standard input, not as arguments", .enabled(if: FakeCurl.isUsable))
  func secrets() throws {
    let curl = try FakeCurl()
    var launch = launch(
      #", "headers": { "Authorization": "{env.KEY}" }"#, url: "https://u:pass@example.org/p")
    launch.environment = ["KEY": "secret", "PATH": curl.searchPath]
    let record = try launch.run()
    #expect(record[0].details.note?.hasSuffix("registered with https://example.org") == true)
    let input = try curl.configuration()
    #expect(input.contains("secret") && input.contains("u:pass") && input.contains("token"))
  }

  @Test("A missing curl is a missing precondition that names it", .enabled(if: FakeCurl.isUsable))
  func noCurl() throws {
    var launch = launch()
    launch.environment = ["PATH": "/nowhere"]
    #expect(try failure(launch).hasPrefix(#"there is no program "curl" in PATH"#))
    #expect(try launch.run().failures.first?.state.failure?.isMissingPrecondition == true)
  }

  @Test(
    "A failure is emitted once, even if curl's output ends with the beginning of a secret",
    .enabled(if: FakeCurl.isUsable))
  func emitsOnce() throws {
    // The child keeps the pipe open: its next bytes could be the rest of the secret.
    let curl = try FakeCurl(answer: "{ sleep 60 & printf 'curl: (7) open' >&2; exit 7; }")
    var launch = launch(#", "headers": { "Authorization": "{env.KEY}" }"#)
    launch.environment = ["KEY": "open sesame", "PATH": curl.searchPath]
    #expect(try failure(launch) == "\(origin) does not accept connections: open")
  }

  @Test("A missing or invalid secret fails the step")
  func headers() throws {
    var launch = launch(#", "headers": { "Authorization": "{env.KEY}" }"#)
    launch.environment = [:]
    #expect(try failure(launch).hasSuffix("the environment variable KEY is not set"))
    launch.environment = ["KEY": "a\nX-Other: b"]
    #expect(try failure(launch).hasPrefix(#"the header "Authorization" is not allowed in HTTP"#))
    #expect(server.requests.isEmpty)
  }

  @Test("Invalid headers and a timeout of zero are errors before the launch")
  func refusedHeaders() throws {
    let headers =
      #""headers": { "A B": "x", "": "x", "X-A": "a\r\nX-B: b", "X-C": "{launch.url}", "X-D": "{", "X-E": "ä\t{env.K}" }"#
    let problems = try launch(#", \#(headers), "timeout": "0s""#).problems()
    #expect(
      problems.map { $0.prefix(while: { !",;?".contains($0) }) } == [
        #""headers.A B": the header "A B" is not allowed in HTTP: a name is letters"#,
        #""headers.": the header "" is not allowed in HTTP: a name is letters"#,
        #""headers.X-A": the header "X-A" is not allowed in HTTP: a name is letters"#,
        #""headers.X-C": unknown placeholder {launch.url}: the placeholders are {env.NAME}"#,
        #""headers.X-D": "{" has no "}": write "{{" for the brace itself"#,
        #""timeout" must be greater than zero"#,
      ])
  }

  @Test("The command has a result if another command executes it")
  func executedByAnotherCommand() async throws {
    var command = RegisterRemoteNotifications()
    command.provider = ProviderURL(server.url())
    let record = await LaunchPlan(sequence: [Wrapper(command)]).run()
    #expect(record.succeeded)
    #expect(server.requests.count == 1)
  }

  @Test("A provider that is not http or https is an error before the launch")
  func scheme() throws {
    let problem = #""provider": a provider is an http or https URL, as in "https://push.example.com/devices""#
    #expect(try launch(url: "file:///etc/passwd").problems() == [problem])
  }

  private struct Wrapper: AsyncCommand {
    var command = RegisterRemoteNotifications()
    init() {}
    init(_ command: RegisterRemoteNotifications) { self.command = command }
    func execute(in context: LaunchContext) async throws { try await command.execute(in: context) }
  }
}

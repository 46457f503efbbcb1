import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

private struct Upload: UndoableCommand {
  struct Part: ParameterGroup {
    @Parameter("The key of a part.") var key: Secret = Secret("")
    @Parameter("The address of a part.") var url = ""
  }

  @Parameter("The token.") var token: Secret
  @Parameter("The address.") var url = "https://example.org"
  @Parameter("Parts.") var parts: [Part] = []
  @Parameter("Names.") var names: [String: String] = [:]

  func validate(_ validation: inout ParameterValidation) {
    if url.isEmpty { validation.reject("must not be empty", at: "url") }
  }
  func execute(in context: LaunchContext) throws {
    context.note("\(url) \(token.reveal()) \(parts.map { "\($0.url) \($0.key.reveal())" }) \(names)")
    context.output("sent \(token.reveal())")
  }
  func undo(in context: LaunchContext) throws { context.note("undone at \(url)") }
}

private struct Template: Command {
  static let options = CommandOptions(replacesVariables: false)
  @Parameter("A text.") var text = ""
  func execute(in context: LaunchContext) { context.note(text) }
}

private final class CreateBucket: UndoableCommand, @unchecked Sendable {
  @Parameter("The region.") var region = ""
  private let created = Lock("")

  func execute(in context: LaunchContext) { created.withLock { $0 = "\(region)-1" } }
  func undo(in context: LaunchContext) { context.note("removed \(created.withLock(\.self))") }
}

private struct Login: Command {
  struct Account: ParameterGroup {
    @Parameter("The user.") var user: String
    @Parameter("The password.") var password: Secret
  }

  @Parameter("The account.") var account: Account?
  func execute(in context: LaunchContext) {
    context.note(account.map { "\($0.user) \($0.password.reveal())" } ?? "")
  }
}

@Suite("A secret", .ownThread)
struct SecretTests {
  @Test("Only reveal returns the text of a secret")
  func hidden() {
    let secret = Secret("hunter22")
    var dumped = ""
    dump(secret, to: &dumped)
    var command = Upload()
    command.token = secret
    dump(command, to: &dumped)
    let texts = ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped]
    #expect(texts.allSatisfy { !$0.contains("hunter22") })
    #expect("\(secret)" == "***")
    #expect(secret.reveal() == "hunter22")
  }

  @Test("A secret in a manifest is hidden in messages about the manifest, also with the wrong type")
  func excerpts() {
    let registry = CommandRegistry(Upload.self)
    for value in [#""hunter22""#, "12345678", #"["hunter22"]"#, #"{ "x": "hunter22" }"#] {
      let text = #"{ "commands": [{ "command": "Upload", "with": { "token": \#(value), "url": 5 } }] }"#
      let error = #expect(throws: PlanError.self) {
        try StartupCommandsBuilder(parsing: text, registry: registry).build()
      }
      #expect(error?.description.contains("\"url\" must be a string") == true)
      #expect(error?.description.contains("hunter22") == false)
      #expect(error?.description.contains("12345678") == false)
    }
  }

  @Test("A secret under a mistyped key is hidden in messages, also in a list or in a nested object")
  func mistypedKey() {
    let parameters = [
      #"{ "tokne": "hunter22" }"#, #"{ "token": "t", "tokens": ["hunter22"] }"#,
      #"{ "token": "t", "parts": [{ "kei": "hunter22" }] }"#,
      #"{ "token": "t", "auth": { "key": "hunter22" } }"#,
    ]
    for value in parameters {
      let error = mistakes(#"{ "command": "Upload", "with": \#(value) }"#)
      #expect(error?.contains("unknown key") == true)
      #expect(error?.contains("hunter22") == false)
    }
    let other = mistakes(#"{ "command": "Template", "with": { "texd": "hunter22" } }"#)
    #expect(other?.contains("hunter22") == true)
  }

  @Test(
    "A secret in an entry with a mistyped or a repeated key is hidden in messages",
    arguments: [
      #"{ "comand": "Upload", "with": { "token": "hunter22" } }"#,
      #"{ "command": 5, "with": { "token": "hunter22" } }"#,
      #"{ "command": "Upload", "wiht": { "token": "hunter22" } }"#,
      #"{ "command": "Upload", "token": "hunter22" }"#,
      #"{ "command": "Upload", "with": ["hunter22"] }"#,
      #"{ "command": "Upload", "with": { "token": "first", "token": "hunter22" } }"#,
    ])
  func mistypedEntry(entry: String) {
    let error = mistakes(entry)
    #expect(error != nil)
    #expect(error?.contains("hunter22") == false)
  }

  private struct Node: ParameterGroup {
    @Parameter("The token.") var token: Secret?
    @Parameter("The nodes inside.") var children: [Node] = []
  }

  private struct Visit: Command {
    @Parameter("The first node.") var node: Node
    func execute(in context: LaunchContext) {}
  }

  @Test("A secret under a mistyped key is hidden at any depth of a group that contains itself")
  func deepKey() {
    let text = """
      { "commands": [{ "command": "Visit", "with": { "node": { "children": [
        { "children": [
          { "tokne": "hunter22" }] }] } } }] }
      """
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Visit.self)).build()
    }
    #expect(error?.description.contains("unknown key \"tokne\"") == true)
    #expect(error?.description.contains("hunter22") == false)
  }

  private struct Plant: Command {
    @Parameter("The tree.") var tree: Tree
    func execute(in context: LaunchContext) { context.note("database") }
  }

  @Test("A custom key in a group that contains itself hides nothing")
  func customKey() throws {
    let text = #"""
      { "commands": [{ "command": "Plant", "with": { "tree": { "name": "r",
        "children": [{ "name": "a", "x-owner": "database" }] } } }] }
      """#
    let plan = try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Plant.self)).build()
    #expect(plan.runBlocking()["Plant"]?.details.note == "database")
  }

  private struct Closed: Command {
    let client: String
    @Parameter("The token.") var token: Secret
    func execute(in context: LaunchContext) {}
  }

  @Test("The parameters of a command that cannot be created are hidden in messages")
  func uncreatable() {
    let text = #"{ "commands": [{ "command": "Closed", "with": { "token": "hunter22" } }] }"#
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Closed.self)).build()
    }
    #expect(error?.description.contains("there is no init()") == true)
    #expect(error?.description.contains("hunter22") == false)
  }

  @Test("The parameters of a mistyped command are hidden in messages if a command has a secret")
  func mistypedCommand() {
    let error = mistakes(#"{ "command": "Uplod", "with": { "token": "hunter22" } }"#)
    #expect(error?.contains("unknown command \"Uplod\"") == true)
    #expect(error?.contains("hunter22") == false)
  }

  /// Returns the mistakes in an entry, and the text of the manifest as a report shows it.
  private func mistakes(_ entry: String) -> String? {
    let registry = CommandRegistry(Upload.self, Template.self)
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: #"{ "commands": [\#(entry)] }"#, registry: registry).build()
    }
    return error.map { $0.description + String(decoding: $0.source?.bytes ?? [], as: UTF8.self) }
  }

  @Test("A secret is hidden in notes, output and records of the launch")
  func records() throws {
    let text = #"{ "commands": [{ "command": "Upload", "with": { "token": "hunter22" } }] }"#
    let plan = try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Upload.self)).build()
    let record = plan.runBlocking()
    #expect(record["Upload"]?.details.note == "https://example.org *** [] [:]")
    #expect(!record.json().contains("hunter22"))
  }

  @Test("A secret of a command in code is hidden too")
  func code() async throws {
    var upload = Upload()
    upload.token = Secret("hunter22")
    let record = try await LaunchPlan { Step("upload", upload) }.run()
    #expect(record["upload"]?.details.note == "https://example.org *** [] [:]")
    let sequence = await LaunchPlan(sequence: [upload]).run()
    #expect(sequence["Upload"]?.details.note == "https://example.org *** [] [:]")
  }
}

@Suite("A variable in a parameter", .ownThread)
struct VariableParameterTests {
  private func run(_ with: String, _ variables: [String: String], then: String = "") throws -> LaunchRecord {
    let text = #"{ "commands": [{ "command": "Upload", "with": \#(with) }\#(then)] }"#
    var registry = CommandRegistry(Upload.self, Template.self)
    registry.register(Failing.self)
    return try StartupCommandsBuilder(parsing: text, registry: registry).environment(variables).build()
      .runBlocking()
  }

  private struct Failing: Command {
    func execute(in context: LaunchContext) throws { throw CancellationError() }
  }

  @Test("The placeholder has the variable's value in strings, lists, dictionaries and groups")
  func values() throws {
    let record = try run(
      #"""
      { "token": "t", "url": "https://{env.HOST}/{{env.HOST}}/{x}", "names": { "a": "{env.HOST}" },
        "parts": [{ "url": "{env.HOST}" }] }
      """#, ["HOST": "h.org"])
    #expect(
      record["Upload"]?.details.note == #"https://h.org/{env.HOST}/{x} t ["h.org "] ["a": "h.org"]"#)
  }

  @Test("A placeholder whose beginning is escaped in the JSON has the variable's value")
  func escaped() throws {
    let record = try run(#"{ "token": "t", "url": "\u007benv.HOST}" }"#, ["HOST": "h.org"])
    #expect(record["Upload"]?.details.note == "h.org t [] [:]")
  }

  @Test("A secret has the variable's value, which is hidden even if the manifest does not name it")
  func secret() throws {
    let record = try run(#"{ "token": "{env.TOKEN}" }"#, ["TOKEN": "hunter22"])
    #expect(record["Upload"]?.details.note == "https://example.org *** [] [:]")
    #expect(!record.json().contains("hunter22"))
  }

  @Test("A variable that is not set fails the step with the message of a process")
  func unset() throws {
    let record = try run(#"{ "token": "{env.TOKN}" }"#, ["TOKEN": "hunter22"])
    #expect(
      record["Upload"]?.state.failure?.message
        == "the placeholder {env.TOKN} has no value: the environment variable TOKN is not set; "
        + "did you mean {env.TOKEN}?")
  }

  @Test("A value that is invalid with its variables fails the step")
  func invalid() throws {
    let record = try run(#"{ "token": "t", "url": "{env.EMPTY}" }"#, ["EMPTY": ""])
    #expect(record["Upload"]?.state.failure?.message == "\"url\" must not be empty")
  }

  @Test("An undo has the values of the variables too")
  func undo() throws {
    let record = try run(
      #"{ "token": "t", "url": "{env.HOST}" }"#, ["HOST": "h.org"],
      then: #", { "command": "Failing", "onFailure": "rollback" }"#)
    let undo = try #require(record["Upload"]?.details.undo)
    #expect(undo.failure == nil)
    #expect(record["Upload"]?.details.note == "undone at h.org")
  }

  @Test("A command that stores data for its undo is the same object, also with the values of variables")
  func sameObject() throws {
    let text = #"""
      { "commands": [{ "command": "CreateBucket", "with": { "region": "{env.REGION}" } },
        { "command": "Failing", "onFailure": "rollback" }] }
      """#
    let registry = CommandRegistry(CreateBucket.self, Failing.self)
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry)
      .environment(["REGION": "north"]).build()
    #expect(plan.runBlocking()["CreateBucket"]?.details.note == "removed north-1")
  }

  @Test("A secret inside another value of a command in code is hidden")
  func nested() {
    var login = Login()
    var account = Login.Account()
    (account.user, account.password) = ("ann", Secret("hunter22"))
    login.account = account
    #expect(LaunchPlan(sequence: [login]).runBlocking().first?.details.note == "ann ***")
  }

  @Test("A malformed placeholder is reported at its parameter")
  func malformed() {
    let found = problems(
      of: Upload.self, with: #"{ "token": "t", "url": "{env.}", "parts": [{ "url": "{env.A" }] }"#)
    #expect(
      found == [
        #"2:24: "url": "{env.}" is not a placeholder: write {env.NAME} for the value of a variable"#,
        #"2:53: "parts[0].url": "{env.A" is not a placeholder: write {env.NAME} for the value of a variable"#,
      ])
  }

  private struct Fetch: Command {
    struct Mirror: ParameterGroup {
      @Parameter("A host.") var host = "{env.MIRROR}"
    }

    @Parameter("A host.") var host = "{env.HOST}"
    @Parameter("Hosts.") var hosts: [String] = ["a", "{env.OTHER}"]
    @Parameter("A mirror.") var mirror = Mirror()
    @Parameter("Mirrors.") var mirrors = [Mirror()]
    @Parameter("A token.") var token: Secret? = Secret("{env.TOKEN}")
    @Parameter("Headers.") var headers = ["Authorization": Secret("{env.KEY}")]
    func execute(in context: LaunchContext) { context.note("\(host) \(hosts) \(mirror.host)") }
  }

  @Test("The braces of a command in code are plain text")
  func code() async throws {
    let record = try await LaunchPlan { Step("fetch", Fetch()) }.run()
    #expect(record["fetch"]?.details.note == #"{env.HOST} ["a", "{env.OTHER}"] {env.MIRROR}"#)
  }

  @Test("A command that replaces no variables keeps the braces")
  func own() throws {
    let text = #"{ "commands": [{ "command": "Template", "with": { "text": "{env.HOME} {env." } }] }"#
    let plan = try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Template.self)).build()
    #expect(plan.runBlocking().first?.details.note == "{env.HOME} {env.")
  }

  @Test("More than 32 equal entries have the values of the variables")
  func many() throws {
    let entries = (0..<50).map {
      #"{ "command": "Upload", "id": "u\#($0)", "with": { "token": "t", "url": "{env.HOST}" } }"#
    }
    let text = #"{ "commands": [\#(entries.joined(separator: ","))] }"#
    let plan = try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Upload.self))
      .environment(["HOST": "h.org"]).build()
    #expect(plan.runBlocking().allSatisfy { $0.details.note == "h.org t [] [:]" })
  }
}

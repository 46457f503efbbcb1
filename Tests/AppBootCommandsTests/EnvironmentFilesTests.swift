import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("The environment files of a manifest", .ownThread)
struct EnvironmentFilesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func launch(_ commands: String, members: String = "") -> TestLaunch {
    var launch = TestLaunch("[\n\(commands)\n]")
    launch.members = members.isEmpty ? "" : "\(members),"
    launch.directory = directory.path
    return launch
  }

  private func files(_ names: String...) -> String {
    #""environment": { "files": [\#(names.map { "\"\($0)\"" }.joined(separator: ", "))] }"#
  }

  private func shell(_ script: String, _ members: String = "", with: String = "") -> String {
    Entry.shell("echo \(script)", id: script, members, with: with)
  }

  private func lines(_ launch: TestLaunch) throws -> [String] {
    let log = LineLog()
    let record = try launch.run([log])
    #expect(record.succeeded)
    return log.lines
  }

  @Test("A step's files override those of the manifest, and a later file overrides an earlier one")
  func order() throws {
    try directory.write("a.env", "A=1\nB=1\nC=1\n")
    try directory.write("b.env", "B=2\nC=2\n")
    try directory.write("c.env", "C=3\n")
    let entries = [shell("$A$B$C", files("c.env")), shell("$A-$B-$C")].joined(separator: ",")
    #expect(try lines(launch(entries, members: files("a.env", "b.env"))) == ["123", "1-2-2"])
  }

  @Test("The environment of the process overrides the files, and the step's parameter overrides both")
  func precedence() throws {
    try directory.write("a.env", "PATH=/nowhere\nHOME=file\nAPPBOOT_STEP=no\nA=file\n")
    let with = #""environment": { "A": "with" }"#
    let found = try lines(
      launch(shell("${HOME:+$A} $APPBOOT_STEP", with: with), members: files("a.env")))
    #expect(found == ["with ${HOME:+$A} $APPBOOT_STEP"])
    #expect(
      try lines(launch(shell("$HOME"), members: files("a.env"))) == [ProcessEnvironment.value(of: "HOME")])
  }

  @Test("Placeholders, conditions and the programs of unless see the variables")
  func uses() throws {
    try directory.write("a.env", "A=up\n")
    try directory.write("up", "")
    let wait = #"{ "command": "WaitFor", "timeout": "1m", "with": { "file": "{env.A}" } }"#
    let when = shell("when", #""when": { "environment": { "A": "up" } }"#)
    let unless = shell("unless", #""unless": { "command": ["sh", "-c", "test $A = up"] }"#)
    let record = try launch([wait, when, unless].joined(separator: ","), members: files("a.env")).run()
    #expect(record.map(\.state.name) == ["succeeded", "succeeded", "skipped"])
    let own = #"{ "command": "WaitFor", \#(files("a.env")), "timeout": "1m", "with": { "file": "{env.A}" } }"#
    #expect(try launch(own).run().succeeded)
  }

  @Test("The handlers of an event see the variables")
  func events() throws {
    try directory.write("a.env", "A=1\n")
    let members = files("a.env") + #", "on": { "openURL": [\#(shell("$A"))] }"#
    let plan = try launch("", members: members).plan()
    let handlers = try #require(plan.events["openURL"])
    let log = LineLog()
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [log]
    #expect(LaunchRunner(handlers, configuration: configuration).runBlocking().succeeded)
    #expect(log.lines == ["1"])
  }

  @Test("A missing file is an error with a remedy, unless its path ends with a question mark")
  func missing() throws {
    let problem = try launch(shell("x"), members: files("no.env")).problems()
    #expect(problem.count == 1)
    #expect(problem.first?.hasPrefix(#""no.env" cannot be read: "#) == true)
    #expect(try launch(shell("x"), members: files("no.env?")).problems().isEmpty)
    try FileSystem.createDirectory(directory.file("folder"), mode: 0o700)
    #expect(try launch(shell("x"), members: files("folder?")).problems().count == 1)
  }

  @Test("An error in a file names the line, and never shows the value")
  func mistakes() throws {
    try directory.write("a.env", "A=1\nsecret\n\nB='secret")
    #expect(
      try launch(shell("x", files("a.env"))).problems() == [
        #""a.env", line 2: the line has no "=": write NAME=VALUE, or remove the line, because steps inherit the environment"#,
        #""a.env", line 4: the quote ' has no end: add it"#,
      ])
  }

  @Test("A mistake in a file is reported at each place that names the file")
  func repeatedMistake() throws {
    try directory.write("a.env", "secret")
    let entries = [shell("x", files("a.env")), shell("y", files("a.env"))].joined(separator: ",")
    let mistake =
      #""a.env", line 1: the line has no "=": write NAME=VALUE, or remove the line, because steps inherit the environment"#
    #expect(try launch(entries, members: files("a.env")).problems() == [mistake, mistake, mistake])
  }

  @Test(
    "A path without a name is an error",
    arguments: [
      ("", #""environment.files[0]" must not be empty"#),
      ("a\\u0000", #""environment.files[0]" must not contain a zero byte"#),
      ("?", #""environment.files[0]" must name a file before the "?""#),
    ])
  func noName(path: String, message: String) throws {
    #expect(try launch(shell("x"), members: files(path)).problems() == [message])
  }

  @Test("The files of an included manifest are relative to it, and have the lowest precedence")
  func included() throws {
    try FileSystem.createDirectory(directory.file("sub"), mode: 0o700)
    try directory.write("sub/b.json", "{ \(files("b.env")), \"commands\": [\(shell("$A $B"))] }")
    try directory.write("sub/b.env", "A=sub\nB=sub\n")
    try directory.write("a.env", "A=main\n")
    let members = #""include": ["sub/b.json"], "# + files("a.env")
    #expect(try lines(launch(shell("$B $A"), members: members)) == ["main sub", "sub main"])
  }

  @Test(
    "Variables of the entry replace those of the manifest, which replace those of the environment and of files"
  )
  func setVariables() throws {
    try directory.write("a.env", "A=file\nB=file\n")
    let members = #""environment": { "files": ["a.env"], "A": "manifest", "C": "{env.B}-{env.NO:-default}" }"#
    #expect(try lines(launch(shell("$A $B $C"), members: members)) == ["manifest file file-default"])
    let entry = shell("$A $C", #""environment": { "A": "{env.A}/entry", "C": null }"#)
    #expect(try lines(launch(entry, members: members)) == ["manifest/entry"])
  }

  @Test(
    "A variable with a wrong name or value is a mistake",
    arguments: [
      (#""1A": "x""#, #""1A" is not the name of a variable"#),
      (#""A": 1"#, #"the variable "A" must be a string or null, not a number"#),
      (#""A": ["x"]"#, #""A" is not a variable"#),
      (#""A": { "B": "x" }"#, #"the variable "A" must be a string or null, not an object"#),
      (#""A": "x\u0000""#, #""A" must not contain a zero byte"#),
      (#""A": "{env.APPBOOT_NO_SUCH}""#, #"the variable "APPBOOT_NO_SUCH" is not set"#),
      (#""A": "{env.B-x}""#, #""B-x" is not the name of a variable"#),
      (#""A": "{env.B""#, #""{env.B" is not a placeholder"#),
      (#""A": "{launch.id}""#, "{launch.id} is not known here, before the launch"),
      (#""A": "{service.web.port}""#, "{service.web.port} is not known here, before the launch"),
      (#""file": "a.env""#, #""file" is not a variable"#),
    ])
  func wrongVariables(member: String, message: String) throws {
    #expect(try launch(shell("x"), members: #""environment": { \#(member) }"#).problems() == [message])
    #expect(try launch(shell("x", #""environment": { \#(member) }"#)).problems() == [message])
  }
}

import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("InitializeThirdParties", .ownThread)
struct InitializeThirdPartiesTests {
  private static let zlib = Host.platform == "linux" ? "libz.so.1" : "libz.dylib"
  private static let sqlite = Host.platform == "linux" ? "libsqlite3.so.0" : "libsqlite3.dylib"
  /// The C library, which every system has.
  private static let c = Host.platform == "linux" ? "libc.so.6" : "libSystem.B.dylib"

  /// A platform other than this one.
  private static let other = Host.platform == "linux" ? "macos" : "linux"

  private static func isPresent(_ library: String) -> Bool { (try? DynamicLibrary.open(library)) != nil }

  private func launch(_ libraries: String...) -> TestLaunch {
    let list = libraries.joined(separator: ", ")
    return TestLaunch(#"[ { "command": "InitializeThirdParties", "with": { "libraries": [\#(list)] } } ]"#)
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    try launch.run().failures.first?.state.failure?.description ?? "no failure"
  }

  @Test(
    "zlib and SQLite are loaded, and the result has their versions",
    .enabled(if: isPresent(zlib) && isPresent(sqlite)))
  func sharedLibraries() throws {
    let record = try launch(
      #"{ "name": "zlib", "library": "\#(Self.zlib)", "version": "zlibVersion" }"#,
      #"{ "name": "SQLite", "library": "\#(Self.sqlite)", "version": "sqlite3_libversion", "#
        + #""initialize": "sqlite3_initialize" }"#
    ).run()
    let zlib = try DynamicLibrary.open(Self.zlib).callVersion("zlibVersion")
    let sqlite = try DynamicLibrary.open(Self.sqlite).callVersion("sqlite3_libversion")
    #expect(record[0].details.note == "zlib \(zlib), SQLite \(sqlite)")
    #expect(record[0].details.spans.map(\.name) == ["zlib", "SQLite"])
    #expect(record[0].details.spans.allSatisfy { $0.endTime != nil && $0.error == nil })
  }

  @Test("A missing optional library is reported in the result")
  func optional() throws {
    let record = try launch(
      #"{ "name": "C", "library": "\#(Self.c)" }"#,
      #"{ "name": "X", "library": "libappboot-none.so", "optional": true }"#,
      #"{ "name": "Y", "library": { "x-none": "y", "\#(Self.other)": "y" }, "optional": true }"#,
      #"{ "name": "Z", "optional": true }"#
    ).run()
    #expect(record[0].details.note == "C, without X, without Y, without Z")
  }

  @Test("A missing library fails the step with the loader's message")
  func missing() throws {
    let message = try failure(launch(#"{ "name": "X", "library": "libappboot-none.so" }"#))
    #expect(message.hasPrefix(#"X: cannot load "libappboot-none.so": "#))
    #expect(message.hasSuffix(#"; install it, or mark it "optional": true"#))
    #expect(message.ranges(of: "libappboot-none.so").count == 2)
  }

  @Test("A missing function fails the step, in an optional library too")
  func missingSymbol() throws {
    let message = try failure(
      launch(#"{ "name": "C", "library": "\#(Self.c)", "version": "appboot_none", "optional": true }"#))
    #expect(message.hasPrefix(#"C: "\#(Self.c)" has no function "appboot_none": "#))
  }

  @Test("An initializer's error code fails the step")
  func failingInitializer() throws {
    // getppid() is an int (*)(void) that does not return 0.
    let launch = launch(#"{ "name": "C", "library": "\#(Self.c)", "initialize": "getppid" }"#)
    let message = try failure(launch)
    #expect(message.hasPrefix("C: getppid() returned ") && message.hasSuffix(", and only 0 is success"))
    let span = try launch.run()[0].details.spans.first
    #expect(span?.error == message)
  }

  @Test("A library without a name on this platform fails the step")
  func otherPlatform() throws {
    let message = try failure(launch(#"{ "name": "X", "library": { "\#(Self.other)": "x" } }"#))
    #expect(message.hasPrefix(#"X: "library" has no name for \#(Host.platform), only for: \#(Self.other); "#))
  }

  @Test("Registered code receives the manifest's options")
  func registered() throws {
    let box = Box()
    var launch = launch(#"{ "name": "Sentry", "options": { "dsn": "abc" } }"#)
    launch.registry.thirdParty("Sentry") { options in box.options.withLock { $0 = options } }
    #expect(try launch.run()[0].details.note == "Sentry")
    #expect(box.options.withLock(\.self) == ["dsn": "abc"])
  }

  @Test("An unregistered library is an error that says how to register it")
  func notRegistered() throws {
    var launch = launch(#"{ "name": "Sentyr" }"#, #"{ "name": "Other", "optional": true }"#)
    #expect(
      try launch.problems() == [
        #""libraries[0].name": no library is registered in code as "Sentyr" (registered: nothing): register it "#
          + #"with registry.thirdParty("Sentyr") { options in … }, or name the file to load in "library""#
      ])
    launch.registry.thirdParty("Sentry") { _ in }
    let words = #"no library is registered in code as "Sentyr": did you mean "Sentry"?"#
    #expect(try launch.problems() == [#""libraries[0].name": \#(words)"#])
  }

  @Test("An unregistered library under a condition fails the step if the condition holds")
  func notRegisteredUnderCondition() throws {
    let entry = #"{ "command": "InitializeThirdParties", "with": { "libraries": [ { "name": "Sentyr" } ] }"#
    var launch = TestLaunch(#"[ \#(entry), "when": { "platform": "\#(Host.platform)" } } ]"#)
    launch.registry.thirdParty("Sentry") { _ in }
    let words = #"no library is registered in code as "Sentyr": did you mean "Sentry"?"#
    #expect(try failure(launch) == words)
    let certain = #"{ "id": "b", \#(entry.dropFirst()) }"#
    launch.commands = #"[ \#(entry), "when": { "platform": "\#(Self.other)" } }, \#(certain) ]"#
    #expect(try launch.problems() == [#""libraries[0].name": \#(words)"#])
    launch.commands = #"[ \#(entry), "when": { "platform": "\#(Self.other)" } } ]"#
    #expect(try launch.run().succeeded)
  }

  @Test("An unregistered library is not an error if the launch continues without it")
  func notRegisteredButAllowed() throws {
    let entry = #"{ "command": "InitializeThirdParties", "with": { "libraries": [ { "name": "Sentyr" } ] }"#
    let allowed = TestLaunch(#"[ \#(entry), "onFailure": "continue" } ]"#)
    #expect(try failure(allowed).contains("no library is registered"))
    #expect(try allowed.run().succeeded)
    let manifest = try Manifest(
      parsing: SourceText(
        name: "commands.json", text: #"{ "commands": [], "on": { "openURL": [ \#(entry) } ] } }"#))
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    #expect(StartupCommandsBuilder(manifest: manifest, registry: registry).checked().problems.total == 0)
    let launched = try Manifest(
      parsing: SourceText(name: "commands.json", text: #"{ "commands": [ \#(entry) } ] }"#))
    var builder = StartupCommandsBuilder(manifest: launched, registry: registry)
    #expect(builder.checked().problems.total == 1)
    builder.selection = StepSelection(skip: ["InitializeThirdParties"])
    #expect(builder.checked().problems.total == 0)
  }

  @Test("An error of registered code is reported with the library's name")
  func registeredThrows() throws {
    var launch = launch(#"{ "name": "Sentry" }"#)
    launch.registry.thirdParty("Sentry") { _ in throw Failure(message: "no key", type: "Test") }
    #expect(try failure(launch) == "Sentry could not be started: no key")
  }

  @Test("A step without libraries succeeds and reports it")
  func nothing() throws {
    #expect(try TestLaunch(#"[ "InitializeThirdParties" ]"#).run()[0].details.note == "no libraries")
  }

  @Test("Contradicting keys are an error before the launch")
  func refused() throws {
    #expect(try launch("{}").problems() == [#""libraries[0]" needs "name""#])
    #expect(
      try launch(#"{ "name": "X", "version": "v" }"#).problems()
        == [#""libraries[0].version": give the shared library of this function in "library""#])
    #expect(
      try launch(#"{ "name": "X", "library": "x", "options": { "a": "b" } }"#).problems().first?
        .hasPrefix(#""libraries[0].options": a shared library takes no options"#) == true)
    #expect(
      try launch(#"{ "name": "X", "library": { "linuks": "x" } }"#).problems()
        == [#"unknown key "linuks" in "libraries[0].library""#])
  }

  @Test(
    "A library without a name is an error before the launch",
    arguments: [(#""""#, ""), ("{}", ""), (#"{ "x-note": "x" }"#, ""), (#"{ "linux": "" }"#, ".linux")])
  func unnamed(library: String, place: String) throws {
    let words = #"name the shared library's file, such as "libz.so.1", or one for each platform"#
    #expect(
      try launch(#"{ "name": "X", "library": \#(library) }"#).problems()
        == [#""libraries[0].library\#(place)": \#(words)"#])
  }

  private final class Box: Sendable {
    let options = Lock<[String: String]?>(nil)
  }
}

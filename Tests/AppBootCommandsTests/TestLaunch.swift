import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport

/// A launch of a manifest with stock commands, by the real runner.
struct TestLaunch {
  /// The JSON of the manifest's `commands`.
  var commands: String
  /// Further members of the manifest, each with a comma behind it.
  var members = ""
  var registry = CommandRegistry()
  var options = LaunchOptions()
  var window: (any AppWindow)?
  var state: any StateStore = MemoryStateStore()
  var environment: [String: String]?
  var directory = "."
  var jobs: Int?

  init(_ commands: String) {
    self.commands = commands
    registry.register(StockCommands.all)
  }

  func plan() throws -> LaunchPlan {
    let name = FileSystem.join(directory, "commands.json")
    let text = #"{ "version": 1, "name": "Test", \#(members) "commands": \#(commands) }"#
    let manifest = try Manifest(parsing: SourceText(name: name, text: text))
    var builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
      .launchOptions(options).state(state)
    if let window { builder = builder.window(window) }
    if let environment { builder = builder.environment(environment) }
    return try builder.build()
  }

  @discardableResult
  func run(_ observers: [any LaunchObserver] = []) throws -> LaunchRecord {
    var configuration = LaunchRunner.Configuration()
    configuration.observers = observers
    configuration.jobs = jobs
    return LaunchRunner(try plan(), configuration: configuration).runBlocking()
  }

  /// Returns the messages of the manifest's errors.
  func problems(withHelp: Bool = false) throws -> [String] {
    do {
      _ = try plan()
      return []
    } catch let error as PlanError {
      return error.diagnostics.map { ([$0.message] + (withHelp ? $0.help : [])).joined(separator: "; ") }
    }
  }
}

/// An observer that waits until a launch writes a line of output with a prefix.
final class LineGate: LaunchObserver {
  private let prefix: String
  private let line = Condition<String?>(nil)

  init(_ prefix: String) { self.prefix = prefix }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    guard case .output(let output) = event.kind, output.line.hasPrefix(prefix) else { return }
    line.withLock { $0 = $0 ?? output.line }
    line.broadcast()
  }

  /// Waits for the line, and returns it without the prefix.
  func wait() -> String {
    (line.wait { $0 } ?? "").dropFirst(prefix.count).description
  }
}

/// An observer that stores every line of a launch's output.
final class LineLog: LaunchObserver {
  private let log = Condition<[String]>([])

  var lines: [String] { log.withLock { $0 } }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    if case .output(let output) = event.kind { log.withLock { $0.append(output.line) } }
  }
}

/// An observer that stores the kind of every event of a launch.
final class EventLog: LaunchObserver {
  private let log = Lock<[LaunchEvent.Kind]>([])

  var kinds: [LaunchEvent.Kind] { log.withLock { $0 } }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    log.withLock { $0.append(event.kind) }
  }
}

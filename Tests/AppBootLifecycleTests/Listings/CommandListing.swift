import AppBoot
import AppBootLifecycle
import AppBootTestSupport

/// The pattern Command: one object for each responsibility of the launch, made by a builder and run in order.
enum CommandListing {
  protocol StartupCommand {
    func execute()
  }

  struct StartCrashReports: StartupCommand {
    let log: Log
    func execute() { log.add("crash reports") }
  }

  struct OpenDatabase: StartupCommand {
    let log: Log
    func execute() { log.add("database") }
  }

  struct ShowFirstScreen: StartupCommand {
    let window: any AppWindow
    func execute() { try? window.show(screen("Home")) }
  }

  final class CommandsBuilder {
    private let log: Log
    private var window: (any AppWindow)?

    init(log: Log) { self.log = log }

    func setKeyWindow(_ window: any AppWindow) -> CommandsBuilder {
      self.window = window
      return self
    }

    func build() -> [any StartupCommand] {
      guard let window else { return [] }
      return [StartCrashReports(log: log), OpenDatabase(log: log), ShowFirstScreen(window: window)]
    }
  }

  static func launchWithPattern(_ log: Log, _ window: any AppWindow) {
    CommandsBuilder(log: log).setKeyWindow(window).build().forEach { $0.execute() }
  }

  struct StartReports: Command {
    let log: Log
    func execute(in context: LaunchContext) { log.add("crash reports") }
  }

  struct OpenNotes: Command {
    let log: Log
    func execute(in context: LaunchContext) { log.add("database") }
  }

  struct ShowHome: Command {
    static let options = CommandOptions(lane: .main)
    func execute(in context: LaunchContext) throws { try context.window?.show(screen("Home")) }
  }

  static func launch(_ log: Log, _ window: any AppWindow) -> LaunchRecord {
    let commands: [any Command] = [StartReports(log: log), OpenNotes(log: log), ShowHome()]
    return LaunchPlan(sequence: commands).window(window).runBlocking()
  }
}

package import AppBoot
import AppBootSystem

/// A runner for the handlers of one event. It writes their progress to the launch's sink while they run.
package struct EventRunner: Sendable {
  /// The maximum number of event records that an app retains.
  package static let retainedEvents = 200
  /// The timeout of `willTerminate` in nanoseconds if the manifest has no timeout.
  package static let lastTimeoutTime: Int64 = 30_000_000_000

  private let event: LifecycleEvent
  private let time: Int64
  private let handlersSink: (any LaunchSink)?

  /// Creates the runner of an event that occurs now.
  ///
  /// - Parameters:
  ///   - launchedAt: The time on the monotonic clock at which the launch began.
  ///   - sink: The launch's sink; `nil` for none.
  package init(_ event: LifecycleEvent, launchedAt: Int64, sink: (any LaunchSink)?) {
    self.event = event
    time = MonotonicClock.now() - launchedAt
    handlersSink = sink?.sink(of: event.name, scene: event.scene?.name, at: time)
  }

  /// Runs the handlers and returns their part of the launch's record.
  ///
  /// - Parameters:
  ///   - plan: The plan of the handlers.
  ///   - willRun: A function that is called with the runner before it starts.
  package func run(
    _ plan: StartupPlan, configuration: StartupRunner.Configuration,
    willRun: (StartupRunner) -> Void = { _ in }
  ) -> EventRecord {
    var configuration = configuration
    configuration.sink = handlersSink
    let runner = StartupRunner(plan, configuration: configuration)
    willRun(runner)
    return eventRecord(of: runner.runBlocking())
  }

  /// Returns a record of the handlers as a part of the launch's record.
  package func eventRecord(of record: StartupRecord) -> EventRecord {
    EventRecord(event: event.name, scene: event.scene?.name, time: time, record: record)
  }
}

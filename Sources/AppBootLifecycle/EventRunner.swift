package import AppBoot
import AppBootSystem

/// A runner for the handlers of one event. The launch's sink receives the beginning and the end of their run.
package struct EventRunner: Sendable {
  /// The maximum number of event records that an app retains.
  package static let retainedEvents = 200
  /// The timeout of `willTerminate` in nanoseconds if the manifest has no timeout.
  package static let lastTimeoutTime: Int64 = 30_000_000_000

  private let event: LifecycleEvent
  private let time: Int64
  private let sink: (any LaunchSink)?

  /// Creates the runner of an event that occurs now.
  ///
  /// - Parameters:
  ///   - launchedAt: The time on the monotonic clock at which the launch began.
  ///   - sink: The launch's sink; `nil` for none.
  package init(_ event: LifecycleEvent, launchedAt: Int64, sink: (any LaunchSink)?) {
    self.event = event
    time = MonotonicClock.now() - launchedAt
    self.sink = sink
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
    // The launch's sink records only the beginning and the end of handlers. Their processes still wait for its thread.
    configuration.sink = nil
    configuration.sinkThread = sink?.thread
    var run: Int?
    if let sink {
      plan.learnSecrets()
      run = sink.begin(
        eventRecord(
          of: StartupRecord(
            outline: plan.outline.masked(by: plan.environment.secrets), startedAt: WallClock.timestamp())))
      // If the process crashes now, the record of the launch names the event.
      sink.thread.settleShortly()
    }
    if let sink, let run, let onHang = configuration.onHang {
      // `onHang` may exit the process, so the end is written before it.
      configuration.onHang = { record in
        sink.end(eventRecord(of: record), run: run)
        sink.thread.settle(within: 500_000_000)
        onHang(record)
      }
    }
    let runner = StartupRunner(plan, configuration: configuration)
    willRun(runner)
    let ran = eventRecord(of: runner.runBlocking())
    if let run { sink?.end(ran, run: run) }
    return ran
  }

  /// Returns a record of the handlers as a part of the launch's record.
  package func eventRecord(of record: StartupRecord) -> EventRecord {
    EventRecord(event: event.name, scene: event.scene?.name, time: time, record: record)
  }
}

import AppBoot
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing
import Tracing

@testable import Observers

private struct OpenDatabase: Command {
  func execute(in context: LaunchContext) {}
}

private struct Refused: Error, CustomStringConvertible {
  var description: String { "connection refused" }
}

private struct SyncNotes: Command {
  func execute(in context: LaunchContext) throws { throw Refused() }
}

/// A handler of log messages that keeps them.
private struct KeptLog: LogHandler {
  final class Messages: Sendable {
    let all = Mutex<[String]>([])
  }

  let messages = Messages()
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = (event.metadata ?? [:]).filter { $0.key != "milliseconds" }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
    let line = (["\(event.level) \(event.message)"] + facts).joined(separator: " ")
    messages.all.withLock { $0.append(line) }
  }
}

@Suite("Observers for the packages of the server ecosystem", .serialized)
struct ObserversTests {
  private func launch(_ observer: any LaunchObserver) async -> LaunchRecord {
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [observer]
    let plan = LaunchPlan(sequence: [OpenDatabase(), SyncNotes()])
    return await LaunchRunner(plan, configuration: configuration).run()
  }

  @Test("A log has a line for each step, and the error of a failed one")
  func log() async {
    let log = KeptLog()
    #expect(await !launch(LogObserver(Logger(label: "launch") { _ in log })).succeeded)
    #expect(
      log.messages.all.withLock(\.self) == [
        "info launch started app=launch",
        "debug step started attempt=1 step=OpenDatabase", "info step ended state=succeeded step=OpenDatabase",
        "debug step started attempt=1 step=SyncNotes",
        "error step ended error=connection refused state=failed step=SyncNotes",
        "info launch ended outcome=failed",
      ])
  }

  @Test("Metrics have the times of the steps that ran, and of the launch")
  func metrics() async throws {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    let record = await launch(MetricsObserver())
    let opened = try metrics.expectTimer(
      "step_duration", [("step", "OpenDatabase"), ("state", "succeeded")])
    #expect(opened.values.count == 1)
    #expect(
      try metrics.expectTimer("step_duration", [("step", "SyncNotes"), ("state", "failed")]).values.count == 1
    )
    let total = try metrics.expectTimer("launch_duration", [("app", "launch"), ("outcome", "failed")])
    #expect(total.values.map { .nanoseconds($0) } == [record.duration])
  }

  @Test("A trace has a span for the launch, with a child for each step")
  func tracing() async throws {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    _ = await launch(TracingObserver())
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["OpenDatabase", "SyncNotes", "launch"])
    let launch = try #require(spans.last)
    #expect(spans.dropLast().allSatisfy { $0.parentSpanID == launch.spanID })
    #expect(spans[1].status?.message == "connection refused")
  }
}

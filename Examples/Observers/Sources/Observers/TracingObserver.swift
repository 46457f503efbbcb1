import AppBoot
import Synchronization
import Tracing

/// Records a span for each launch, with a child for each step, with swift-distributed-tracing.
final class TracingObserver: LaunchObserver {
  private struct Spans {
    var launch: (any Span)?
    var steps: [Int: any Span] = [:]
  }

  private let spans = Mutex(Spans())

  init() {}

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    spans.withLock { spans in
      switch event.kind {
      case .launchStarted: spans.launch = startSpan(outline.name, ofKind: .internal)
      case .started(let step, attempt: 1):
        let context = spans.launch?.context ?? .topLevel
        spans.steps[step] = startSpan(outline[step].id, context: context, ofKind: .internal)
      case .ended(let step, let state):
        guard let span = spans.steps.removeValue(forKey: step) else { break }
        if let failure = state.failure { span.setStatus(SpanStatus(code: .error, message: failure.message)) }
        span.end()
      case .launchEnded(let outcome):
        spans.launch?.attributes["outcome"] = outcome.name
        spans.launch?.end()
      default: break
      }
    }
  }
}

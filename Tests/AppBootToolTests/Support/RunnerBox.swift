import AppBoot
import AppBootSystem

/// Lets a command reach the runner that runs it, and keeps what it found.
final class RunnerBox: Sendable {
  private let state = Lock<(runner: StartupRunner?, text: String)>((nil, ""))

  var runner: StartupRunner? {
    get { state.withLock { $0.runner } }
    set { state.withLock { $0.runner = newValue } }
  }

  var text: String {
    get { state.withLock { $0.text } }
    set { state.withLock { $0.text = newValue } }
  }
}

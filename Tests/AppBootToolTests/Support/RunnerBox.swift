import AppBoot
import AppBootSystem

/// A box for the runner of a command, and for the text that the command found.
final class RunnerBox: Sendable {
  private let state = Lock<(runner: LaunchRunner?, text: String)>((nil, ""))

  var runner: LaunchRunner? {
    get { state.withLock { $0.runner } }
    set { state.withLock { $0.runner = newValue } }
  }

  var text: String {
    get { state.withLock { $0.text } }
    set { state.withLock { $0.text = newValue } }
  }
}

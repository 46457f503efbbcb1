import AppBootSystem

@testable import AppBootCommands

/// A check that gives the results of a script.
final class ScriptedCheck: ProbeCheck {
  private let script: Lock<[Sighting]>
  private let counts = Lock((looks: 0, closes: 0))

  init(_ script: [Sighting]) { self.script = Lock(script) }

  var looks: Int { counts.withLock(\.looks) }
  var closes: Int { counts.withLock(\.closes) }

  func look(at time: Int64) -> Sighting {
    counts.withLock { $0.looks += 1 }
    return script.withLock { $0.isEmpty ? .impossible("the script is over") : $0.removeFirst() }
  }

  func close() { counts.withLock { $0.closes += 1 } }
}

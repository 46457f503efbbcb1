import AppBootLibC

/// The end of a process and of everything that it has started.
///
/// The stop signal goes to the process group and to the descendants that left it. All of them then have time to end,
/// whether the process itself has ended or not. ``kill()`` ends those that still run.
///
/// Each poll lists the related processes at most four times. The search that kills them can take 5 s, and has a thread
/// of its own. Programs of probes and of `unless` have no such ending: they only look, and are killed.
package struct ProcessEnding: Sendable {
  /// The nanoseconds from one look at the processes to the next. They double up to the longest pause.
  private static let (shortestPause, longestPause): (Int64, Int64) = (1_000_000, 64_000_000)
  /// The number of searches in a row for a member that may have been missed. Then the caller pauses.
  private static let lists = 4

  private let process: Subprocess
  private var family: ProcessFamily
  /// The signal that asked the processes to end; `nil` before.
  private var signal: Int32?
  #if os(Linux)
  /// The descendants outside of the group that received the signal.
  private var asked: Set<ProcessEntry.Identity> = []
  #endif
  /// True after ``kill()``.
  package private(set) var isKilled = false
  /// The thread that kills the processes; `nil` before it starts.
  private var search: Thread?
  private var pause = shortestPause
  /// The time of the monotonic clock at which ``isOver(at:)`` must be called again; `nil` if it need not be.
  package private(set) var nextLook: Int64?

  /// Creates the end of a running process.
  ///
  /// - Parameter marks: The variables that all of its descendants inherit, and no other process.
  package init(of process: Subprocess, marks: [String: String]) {
    self.process = process
    family = ProcessFamily(of: process.processIdentifier, marks: marks)
  }

  /// True if the process has left others that run and were not asked to end.
  package private(set) var mustAsk = false

  /// Asks the process, its group and the descendants outside of the group to end.
  package mutating func ask(_ signal: Int32) {
    self.signal = self.signal ?? signal
    mustAsk = false
    process.askToStop(signal)
    #if os(Linux)
    // A process that left the group can be what the others wait for.
    if process.end() == nil { ask(family.look()) }
    #endif
    lookSoon()
  }

  /// Kills the process and its group. ``isOver(at:)`` then also kills the other descendants.
  package mutating func kill() {
    isKilled = true
    #if os(Linux)
    if process.end() == nil { _ = family.look() }
    #endif
    process.killGroup(Signals.kill)
    lookSoon()
  }

  /// Returns whether no process of the family runs any more. Call it after the process itself has ended.
  package mutating func isOver(at now: Int64) -> Bool {
    #if os(Linux)
    if let search {
      let isOver = search.hasReturned
      if !isOver { lookAgain(at: now) }
      return isOver
    }
    for _ in 0..<Self.lists {
      switch family.members() {
      case .none:
        // A process whose first thread has ended seems to have ended too.
        process.killGroup(Signals.kill)
        return true
      case .running(let members):
        if isKilled { beginToKill() } else { ask(members) }
        mustAsk = signal == nil && !isKilled
        lookAgain(at: now)
        return false
      case .unknown: continue
      }
    }
    lookAgain(at: now)
    return false
    #else
    if !process.killGroup(0) { return true }
    mustAsk = signal == nil && !isKilled
    lookAgain(at: now)
    return false
    #endif
  }

  private mutating func lookSoon() {
    pause = Self.shortestPause
    nextLook = MonotonicClock.now()
  }

  private mutating func lookAgain(at now: Int64) {
    nextLook = now + pause
    pause = min(2 * pause, Self.longestPause)
  }

  #if os(Linux)

  /// Sends the signal to members outside of the group that have not received it.
  private mutating func ask(_ members: [ProcessEntry]) {
    guard let signal else { return }
    for member in members
    where member.group != process.processIdentifier && asked.insert(member.identity).inserted {
      Signals.send(signal, to: member.process)
      Signals.send(Signals.resume, to: member.process)
    }
  }

  /// Begins to kill the members. A program that starts processes without end keeps the search busy for seconds.
  private mutating func beginToKill() {
    let family = family
    do {
      search = try Thread.start(name: "appboot-reaper") {
        var family = family
        family.end()
      }
    } catch {
      self.family.end()
    }
  }

  #endif
}

import AppBoot
import AppBootSystem
import AppBootTestSupport

@testable import AppBootCommands

/// A clock whose time the simulation sets.
final class VirtualClock: Sendable {
  private let time = Lock<Int64>(0)

  var now: Int64 { time.withLock(\.self) }

  func set(_ now: Int64) { time.withLock { $0 = now } }
}

/// The behavior of a simulated process from one start to the next. All times are nanoseconds.
struct SimulatedLife: Sendable, CustomStringConvertible {
  var failsToStart = false
  /// The time from the start until the process is ready; `nil` if it never is.
  var ready: Int64?
  /// The time from the start until the process ends without a signal; `nil` if it runs until a signal ends it.
  var end: Int64?
  var code: Int32 = 0
  /// The time from the stop signal to the end of the process; `nil` if it ignores the signal.
  var stop: Int64?
  /// The time from the stop signal to the end of the processes that this one leaves; `nil` if it leaves none.
  var linger: Int64?
  /// The time from ready until the live probe fails; `nil` if it does not.
  var sick: Int64?
  /// The time from KILL to the end of all processes.
  var kill: Int64

  var description: String {
    let times: [(String, Int64?)] = [
      ("ready", ready), ("ends with \(code)", end), ("stops", stop), ("lingers", linger), ("is sick", sick),
      ("dies", kill),
    ]
    let words = times.map { name, time in
      "\(name) \(time.map { "after \(DurationText.exact(.nanoseconds($0)))" } ?? "never")"
    }
    return failsToStart ? "fails to start" : words.joined(separator: ", ")
  }

  /// The end of a process, and the time at which the processes that it left have ended too; `nil` if they wait for the
  /// stop signal.
  struct End {
    let time: Int64
    let end: ServiceEnd
    let over: Int64?
  }

  /// Returns the end of the process after a start and after signals at these times; `nil` if it does not end.
  func end(startedAt start: Int64, askedAt asked: Int64?, killedAt killed: Int64?) -> End? {
    let ends: [(time: Int64, end: ServiceEnd)?] = [
      end.map { (start + $0, .exited(code)) },
      asked.flatMap { asked in stop.map { (asked + $0, .process(.signalled(15))) } },
      killed.map { ($0 + kill, .process(.signalled(9))) },
    ]
    guard let first = ends.compactMap(\.self).min(by: { $0.time < $1.time }) else { return nil }
    guard let linger else { return End(time: first.time, end: first.end, over: first.time) }
    let others = [asked.map { $0 + linger }, killed.map { $0 + kill }].compactMap(\.self).min()
    return End(time: first.time, end: first.end, over: others.map { max(first.time, $0) })
  }
}

/// The work of a service that lives one simulated life.
struct SimulatedWork: ServiceWork {
  /// The text of the live probe that fails.
  static let sickness = "no answer"

  private let life: SimulatedLife
  private let clock: VirtualClock
  private let startedAt: Int64
  private var readySince: Int64?
  private var askedAt: Int64?
  private var killedAt: Int64?
  private var isSick = false

  init(_ life: SimulatedLife, _ clock: VirtualClock) throws {
    if life.failsToStart { throw Mishap() }
    (self.life, self.clock, startedAt) = (life, clock, clock.now)
  }

  var pid: Int32? { nil }
  var obstacle: String? { nil }
  var doubt: AnswerDoubt? { nil }
  var descriptors: [Int32] { [] }

  private var end: SimulatedLife.End? {
    life.end(startedAt: startedAt, askedAt: askedAt, killedAt: killedAt)
  }

  private var sickAt: Int64? {
    guard let readySince, askedAt == nil, !isSick else { return nil }
    return life.sick.map { readySince + $0 }
  }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? {
    let readyAt = isReady || isStopping ? nil : life.ready.map { startedAt + $0 }
    let end = end
    let endAt = end.map { $0.time > clock.now ? $0.time : $0.over ?? $0.time }
    return [readyAt, sickAt, endAt].compactMap(\.self).min()
  }

  mutating func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine]) {
    (progress(isStarting: isStarting, at: clock.now), [])
  }

  private mutating func progress(isStarting: Bool, at now: Int64) -> Service.Progress {
    if let end, end.time <= now {
      guard let over = end.over else { return .left }
      return over <= now ? .ended(end.end) : .nothing
    }
    if isStarting, let ready = life.ready, startedAt + ready <= now {
      readySince = now
      return .ready("")
    }
    if let sickAt, sickAt <= now {
      isSick = true
      return .notLive(.unhealthy(Self.sickness))
    }
    return .nothing
  }

  mutating func askToStop() { askedAt = askedAt ?? clock.now }

  mutating func kill() -> (@Sendable () -> Void)? {
    killedAt = killedAt ?? clock.now
    return nil
  }

  func release() {}
  func words(for end: ServiceEnd) -> String { end.words }
  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error {
    Mishap(reason ?? end.words)
  }
}

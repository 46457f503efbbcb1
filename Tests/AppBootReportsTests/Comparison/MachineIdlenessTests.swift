import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The idleness of a machine")
struct MachineIdlenessTests {
  /// Returns launches with these times of the second calibration run, in microseconds.
  private func launches(_ times: [Int64], host: RecordHeader.Host? = nil) -> [StartupRecord] {
    times.map { time in
      var record = ComparisonSample.record([("a", time)])
      record.header.calibrations = [500_000, time * 1000]
      record.header.host = host
      return record
    }
  }

  private let idle: [Int64] = [280, 475, 290, 480, 470, 480]
  private let busy: [Int64] = [470, 475, 480, 485, 490, 440]

  @Test("A session on a busy machine is left out if there are others")
  func sessions() {
    let chosen = MachineIdleness(sessions: [launches(busy), launches(idle)], head: launches(idle))
    #expect(chosen.sessions.count == 1 && chosen.sessions[0].first?.elapsedTime == 280)
    #expect(MachineIdleness(sessions: [launches(busy)], head: launches(idle)).sessions.count == 1)
  }

  @Test("A session that a neighbour slowed most of the time is left out")
  func usual() {
    let even: [Int64] = [280, 290, 285, 300, 295, 290]
    let chosen = MachineIdleness(
      sessions: [launches(idle), launches(even), launches(idle)], head: launches(even))
    #expect(chosen.sessions.map { $0.map(\.elapsedTime) } == [even])
    let alike = MachineIdleness(sessions: [launches(idle), launches(idle)], head: launches(even))
    #expect(alike.sessions.count == 2)
  }

  @Test("The machine is busy now if it is slower than at its best")
  func now() {
    #expect(MachineIdleness(sessions: [launches(idle)], head: launches(busy)).isBusyNow)
    #expect(!MachineIdleness(sessions: [launches(idle)], head: []).isBusyNow)
    #expect(!MachineIdleness(sessions: [launches(idle)], head: launches(idle)).isBusyNow)
    #expect(!MachineIdleness(sessions: [launches(busy)], head: launches(busy)).isBusyNow)
  }

  @Test("A machine without calibration runs, or another machine, does not count as busy")
  func unknown() {
    let bare = [ComparisonSample.record([("a", 1)])]
    #expect(!MachineIdleness(sessions: [bare], head: launches(busy)).isBusyNow)
    let host = RecordHeader.Host(system: "X", release: "1", architecture: "a", processor: nil, cores: 2)
    #expect(!MachineIdleness(sessions: [launches(idle, host: host)], head: launches(busy)).isBusyNow)
    #expect(MachineIdleness.limits(of: bare).isEmpty)
  }
}

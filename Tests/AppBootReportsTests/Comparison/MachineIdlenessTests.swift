import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("How busy a machine was")
struct MachineCalmTests {
  /// Launches beside which the second calibration took so long, in microseconds.
  private func launches(_ times: [Int64], host: RecordHeader.Host? = nil) -> [StartupRecord] {
    times.map { time in
      var record = ComparisonSample.record([("a", time)])
      record.header.calibrations = [500_000, time * 1000]
      record.header.host = host
      return record
    }
  }

  private let calm: [Int64] = [280, 475, 290, 480, 470, 480]
  private let busy: [Int64] = [470, 475, 480, 485, 490, 440]

  @Test("leaves out the sessions during which it never was calm, where there are others")
  func sessions() {
    let chosen = MachineIdleness(sessions: [launches(busy), launches(calm)], head: launches(calm))
    #expect(chosen.sessions.count == 1 && chosen.sessions[0].first?.duration == 280)
    #expect(MachineIdleness(sessions: [launches(busy)], head: launches(calm)).sessions.count == 1)
  }

  @Test("leaves out the sessions that a neighbour slowed most of the time, though not at their best")
  func usual() {
    let even: [Int64] = [280, 290, 285, 300, 295, 290]
    let chosen = MachineIdleness(
      sessions: [launches(calm), launches(even), launches(calm)], head: launches(even))
    #expect(chosen.sessions.map { $0.map(\.duration) } == [even])
    let alike = MachineIdleness(sessions: [launches(calm), launches(calm)], head: launches(even))
    #expect(alike.sessions.count == 2)
  }

  @Test("says whether it is busier now than at its best")
  func now() {
    #expect(MachineIdleness(sessions: [launches(calm)], head: launches(busy)).isBusyNow)
    #expect(!MachineIdleness(sessions: [launches(calm)], head: launches(calm)).isBusyNow)
    #expect(!MachineIdleness(sessions: [launches(busy)], head: launches(busy)).isBusyNow)
  }

  @Test("tells nothing without calibrations, and of another machine")
  func unknown() {
    let bare = [ComparisonSample.record([("a", 1)])]
    #expect(!MachineIdleness(sessions: [bare], head: launches(busy)).isBusyNow)
    let host = RecordHeader.Host(system: "X", release: "1", architecture: "a", processor: nil, cores: 2)
    #expect(!MachineIdleness(sessions: [launches(calm, host: host)], head: launches(busy)).isBusyNow)
    #expect(MachineIdleness.limits(of: bare).isEmpty)
  }
}

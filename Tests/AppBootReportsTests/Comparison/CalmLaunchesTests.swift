import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("Launches of one level")
struct CalmLaunchesTests {
  /// Launches beside which the second yardstick took so long, in microseconds.
  private func launches(_ times: [Int64], host: RecordHeader.Host? = nil) -> [StartupRecord] {
    times.map { time in
      var record = ComparisonSample.record([("a", time)])
      record.header.yardsticks = [500_000, time * 1000]
      record.header.host = host
      return record
    }
  }

  private func times(_ records: [StartupRecord]) -> [Int64] { records.map { $0.header.yardsticks[1] / 1000 } }

  private let calm: [Int64] = [280, 285, 290, 300, 310, 315]
  private let busy: [Int64] = [470, 475, 480, 485, 490, 440, 460]

  @Test("are the calm ones where both sides have enough of them")
  func areCalm() {
    let chosen = CalmLaunches(sessions: [launches(calm + busy)], head: launches(busy + calm + [900]))
    #expect(chosen.areAlike)
    #expect(chosen.sessions.map(times) == [calm] && times(chosen.head) == calm)
  }

  @Test("are equally busy ones where now there are no calm ones")
  func areBusy() {
    let chosen = CalmLaunches(sessions: [launches(calm + busy)], head: launches(busy))
    #expect(chosen.areAlike)
    #expect(times(chosen.head).allSatisfy { $0 >= 440 } && times(chosen.sessions[0]).allSatisfy { $0 >= 440 })
  }

  @Test("come from the sessions that have enough of them, or from all together")
  func sessions() {
    let one = CalmLaunches(sessions: [launches(busy), launches(calm)], head: launches(calm))
    #expect(one.sessions.map(times) == [calm])
    let halves = CalmLaunches(
      sessions: [launches(Array(calm.prefix(3))), launches(Array(calm.suffix(3)))], head: launches(calm))
    #expect(halves.sessions.map(times) == [calm])
  }

  @Test("are all where no level has enough, where a yardstick is missing, and on other machines")
  func all() {
    let few = CalmLaunches(sessions: [launches(calm)], head: launches([800, 810, 820, 830, 840]))
    #expect(few.canTell && !few.areAlike && few.head.count == 5)
    let unmeasured = CalmLaunches(sessions: [[ComparisonSample.record([("a", 1)])]], head: launches(calm))
    #expect(!unmeasured.canTell && !unmeasured.areAlike)
    let host = RecordHeader.Host(system: "X", release: "1", architecture: "a", processor: nil, cores: 2)
    #expect(!CalmLaunches(sessions: [launches(calm, host: host)], head: launches(calm)).canTell)
  }
}

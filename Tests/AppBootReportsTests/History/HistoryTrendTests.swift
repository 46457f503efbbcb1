import AppBoot
import Testing
import AppBootTestSupport

@testable import AppBootReports

@Suite("The trend of a history", .ownThread)
struct HistoryTrendTests {
  /// Returns the share of sessions in which the trend has a name.
  private func share(
    of name: String, _ sessions: Int, before: Int, after: Int, factor: (Int) -> Double
  ) -> Double {
    let found = (0..<sessions).count { seed in
      var sample = HistorySample(seed: UInt64(seed))
      let times = sample.times(before + after) { $0 < before ? 1 : factor($0 - before + 1) }
      return HistoryTrend(of: times).name == name
    }
    return Double(found) / Double(sessions)
  }

  @Test("In 160 launches without a change, at most 2 % of histories raise an alarm")
  func falseAlarms() {
    #expect(share(of: "slower", 30, before: 160, after: 0) { _ in 1 } <= 0.02)
  }

  @Test("A slow-down of 10 % is found within 10 launches in 90 % of histories")
  func step() {
    #expect(share(of: "slower", 30, before: 80, after: 10) { _ in 1.1 } >= 0.9)
  }

  @Test("A creep of 0.5 % a launch over 30 launches is found in 90 % of histories")
  func creep() {
    #expect(share(of: "slower", 30, before: 80, after: 30) { 1 + 0.005 * Double($0) } >= 0.9)
  }

  @Test("A change names its first launch, the medians and the step that explains it")
  func cause() {
    var sample = HistorySample(seed: 7)
    let times = sample.times(100) { $0 < 80 ? 1 : 1.2 }
    let trend = HistoryTrend(of: HistorySample.launches(times))
    guard let change = trend.change, change.isSlower else {
      Issue.record("\(trend)")
      return
    }
    #expect((78...82).contains(change.start))
    #expect(change.alarm >= change.start)
    #expect((0.15...0.25).contains(change.fraction))
    #expect(change.causes.map(\.id) == ["index"])
  }

  @Test("A slowdown of 20 % is reported from its exact first launch in 90 % of histories")
  func exactStart() {
    let exact = (0..<30).count { seed in
      var sample = HistorySample(seed: UInt64(seed))
      return HistoryTrend(of: sample.times(100) { $0 < 80 ? 1 : 1.2 }).change?.start == 80
    }
    #expect(exact >= 27)
  }

  @Test("After a slow-down that was taken back, the launches are faster")
  func takenBack() {
    var sample = HistorySample(seed: 3)
    let times = sample.times(140) { (60..<100).contains($0) ? 1.3 : 1 }
    #expect(HistoryTrend(of: times).name == "faster")
  }

  @Test(
    "A slow-down that was taken back is no alarm, and neither is the end of a few fast launches",
    arguments: [3, 5, 8, 12, 15], [15, 40, 60])
  func passing(count: Int, normal: Int) {
    for (seed, factor) in [1.3, 0.75].enumerated() {
      var sample = HistorySample(seed: UInt64(seed), deviation: 0.01)
      let times = sample.times(100 + count + normal) {
        (100..<(100 + count)).contains($0) ? factor : 1
      }
      #expect(HistoryTrend(of: times).name != "slower")
    }
  }

  @Test("A slow-down after one that was taken back is compared with the launches on the usual level")
  func again() {
    var sample = HistorySample(seed: 4, deviation: 0.01)
    let slow = [26..<42, 68..<84]
    let times = sample.times(84) { launch in slow.contains { $0.contains(launch) } ? 1.5 : 1 }
    guard let change = HistoryTrend(of: HistorySample.launches(times)).change, change.isSlower else {
      Issue.record("\(HistoryTrend(of: times))")
      return
    }
    #expect((67...69).contains(change.start))
    #expect((0.45...0.55).contains(change.fraction))
    #expect(change.causes.map(\.id) == ["index"])
    #expect((0.9...1.1).contains(Double(change.causes[0].change) / Double(change.after - change.before)))
  }

  @Test("The step that explains a second change has the size of that change")
  func second() {
    var sample = HistorySample(seed: 9, deviation: 0.01)
    let times = sample.times(110) { $0 < 40 ? 1 : $0 < 70 ? 1.25 : 1.55 }
    guard let change = HistoryTrend(of: HistorySample.launches(times)).change, change.isSlower else {
      Issue.record("\(HistoryTrend(of: times))")
      return
    }
    #expect((68...72).contains(change.start))
    #expect((0.9...1.1).contains(Double(change.causes[0].change) / Double(change.after - change.before)))
  }

  @Test("A history whose times vary much, or drift, is too noisy for an alarm")
  func noisy() {
    var wide = HistorySample(seed: 1, deviation: 0.15)
    #expect(HistoryTrend(of: wide.times(100)).name == "tooNoisy")
    var drifting = HistorySample(seed: 2, deviation: 0.01)
    let waves = drifting.times(160) { ($0 / 5).isMultiple(of: 2) ? 1 : 1.03 }
    #expect(["tooNoisy", "steady"].contains(HistoryTrend(of: waves).name))
  }

  @Test("Noise that changes its level every 8 launches raises an alarm in at most one of 8 histories")
  func blocks() {
    let alarms = (0..<8).count { seed in
      var random = SeededGenerator(seed: UInt64(seed))
      let levels = (0..<20).map { _ in Double.random(in: 0.7...1.4, using: &random) }
      var sample = HistorySample(seed: UInt64(seed), deviation: 0.08)
      let times = sample.times(160) { levels[$0 / 8] }
      return stride(from: 32, through: 160, by: 32).contains {
        HistoryTrend(of: Array(times.prefix($0))).isSlower
      }
    }
    #expect(alarms <= 1)
  }

  @Test("A slowdown of 50 % is found within 10 launches in 90 % of histories, even with noise of 8 %")
  func large() {
    for deviation in [0.03, 0.08] {
      let found = (0..<20).count { seed in
        var sample = HistorySample(seed: UInt64(seed), deviation: deviation)
        return HistoryTrend(of: sample.times(90) { $0 < 80 ? 1 : 1.5 }).isSlower
      }
      #expect(found >= 18)
    }
  }

  @Test("A slowdown of 50 % after 20 to 40 launches is found within 10", arguments: [20, 28, 40])
  func afterFew(before: Int) {
    #expect(share(of: "slower", 30, before: before, after: 10) { _ in 1.5 } >= 0.8)
  }

  @Test("A change beyond all earlier times is found although neighbouring launches resemble each other")
  func beyond() {
    var sample = HistorySample(seed: 5, deviation: 0.02)
    let times = sample.times(40) { $0 < 28 ? 1 + 0.1 * Double($0 / 7 % 2) : 1.8 }
    #expect(HistoryTrend(of: times).isSlower)
  }

  @Test("Fewer than 24 launches have no trend, and equal times no change")
  func few() {
    #expect(HistoryTrend(of: [Int64](repeating: 5, count: 23)) == .tooFew(needed: 24))
    #expect(HistoryTrend(of: [Int64](repeating: 5, count: 200)) == .steady)
    #expect(HistoryTrend(of: [Int64]()) == .tooFew(needed: 24))
  }
}

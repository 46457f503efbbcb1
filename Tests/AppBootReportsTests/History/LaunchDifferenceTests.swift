import AppBoot
import Testing
import AppBootTestSupport

@testable import AppBootRecords
@testable import AppBootReports

@Suite("The difference of a launch from those before it", .ownThread)
struct LaunchDifferenceTests {
  /// Returns the difference of a launch from launches of about 100 ms.
  private func difference(
    _ time: Int64, before count: Int = 20, change: (inout [LaunchSummary]) -> Void = { _ in }
  ) -> LaunchDifference? {
    var sample = HistorySample(seed: 1, deviation: 0.01)
    sample.delayed = 0
    var launches = HistorySample.launches(sample.times(count) + [time * 1_000_000])
    change(&launches)
    return launches.last.flatMap { LaunchDifference(of: $0, from: launches.dropLast()) }
  }

  private func text(_ difference: LaunchDifference?) -> String? { difference?.text { $0 } }

  @Test("A slower launch has the number of launches, and the step that explains it")
  func slower() throws {
    let found = try #require(difference(112))
    #expect((11_000_000...13_000_000).contains(found.change))
    #expect(try #require(text(found)).contains(" ms slower than the last 20: index +1"))
  }

  @Test("A faster launch is reported too")
  func faster() throws {
    let found = try #require(difference(80))
    #expect(try #require(text(found)).contains(" ms faster than the last 20: index −"))
    #expect(found.text(ascii: true) { $0 }.contains("index -"))
  }

  @Test("A launch that is about as long has no difference")
  func same() {
    #expect(difference(100) == nil)
    #expect(difference(102) == nil)
    #expect(difference(98) == nil)
  }

  /// Returns the difference of each launch from those before it.
  private func differences(_ launches: [LaunchSummary]) -> [LaunchDifference?] {
    launches.indices.map { LaunchDifference(of: launches[$0], from: Array(launches[..<$0])) }
  }

  /// Returns the text of the difference of each launch after twelve launches of 100 ms.
  private func texts(after times: [Int64]) -> [String] {
    let former: [Int64] = (0..<12).map { 100 + $0 % 3 }
    let launches = HistorySample.launches((former + times).map { $0 * 1_000_000 })
    return differences(launches).dropFirst(12).map { text($0).map { String($0.prefix { $0 != ":" }) } ?? "" }
  }

  @Test("Launches that stay slower repeat the difference, until one is as fast as before")
  func lasting() {
    #expect(
      texts(after: [201, 199, 203, 200, 101, 100]) == [
        "100 ms slower than the last 12", "still 98.0 ms slower than the 12 launches before the last one",
        "still 102 ms slower than the 12 launches before the last 2",
        "still 99.0 ms slower than the 12 launches before the last 3", "", "",
      ])
    #expect(
      texts(after: [51, 50]) == [
        "50.0 ms faster than the last 12", "still 51.0 ms faster than the 12 launches before the last one",
      ])
  }

  @Test("A launch that becomes even slower has a new difference")
  func slowerAgain() {
    #expect(
      texts(after: [200, 300]) == ["99.0 ms slower than the last 12", "199 ms slower than the last 13"])
  }

  @Test("A lasting difference ends after 12 launches")
  func end() {
    let texts = texts(after: [Int64](repeating: 200, count: 16))
    #expect(texts[..<13].allSatisfy { $0.contains("slower than the") })
    #expect(texts[13...].allSatisfy { $0.isEmpty })
  }

  @Test("A launch repeats a difference only after a launch that has one")
  func noNewDifference() {
    var (new, repeated) = (0, 0)
    for seed in 0..<25 as Range<UInt64> {
      var sample = HistorySample(seed: seed)
      let all = differences(HistorySample.launches(sample.times(60)))
      for (before, now) in zip(all, all.dropFirst()) {
        guard let words = text(now) else { continue }
        guard words.hasPrefix("still") else {
          new += 1
          continue
        }
        repeated += 1
        #expect(before != nil)
      }
    }
    #expect(new > 0 && repeated <= new / 10, "\(new), \(repeated)")
  }

  @Test("Fewer than 8 launches before it say nothing")
  func few() {
    #expect(difference(150, before: 7) == nil)
    #expect(text(difference(150, before: 8))?.contains("than the last 8") == true)
  }

  @Test("A launch below 30 ms is not compared")
  func short() {
    #expect(difference(29) == nil)
  }

  @Test("Launches of the same branch count if they are enough, and otherwise those of all branches")
  func branches() throws {
    func label(_ branch: (Int) -> String) -> LaunchDifference? {
      difference(150) { launches in
        launches = launches.enumerated().map { index, launch in
          LaunchSummary(
            name: launch.name, startedAt: launch.startedAt, duration: launch.duration, outcome: .succeeded,
            labels: [LaunchLabel("branch", branch(index))], planDigest: launch.planDigest, steps: launch.steps
          )
        }
      }
    }
    #expect(text(label { $0 < 10 ? "fix" : "main" })?.contains("than the last 10 of main:") == true)
    #expect(text(label { $0 < 20 ? "main" : "fix" })?.contains("than the last 20:") == true)
    #expect(text(label { _ in "main" })?.contains("than the last 20:") == true)
  }

  @Test("Launches of another manifest do not count")
  func otherPlan() {
    let found = difference(150) { launches in
      launches = launches.enumerated().map { index, launch in
        index == 20
          ? launch
          : LaunchSummary(
            name: launch.name, startedAt: launch.startedAt, duration: launch.duration, outcome: .succeeded,
            planDigest: "sha256:2", steps: launch.steps)
      }
    }
    #expect(found == nil)
  }

  @Test("Launches that failed, or ran other steps, do not count")
  func others() {
    let failed = difference(150) { launches in
      for index in 0..<14 {
        launches[index] = launches[index].with(outcome: .failed, steps: launches[index].steps)
      }
    }
    #expect(failed == nil)
    let skipped = difference(150) { launches in
      for index in 0..<14 {
        let steps = launches[index].steps.map {
          LaunchSummary.Step(id: $0.id, state: .skipped, duration: 0, attempts: 0)
        }
        launches[index] = launches[index].with(outcome: .succeeded, steps: steps)
      }
    }
    #expect(skipped == nil)
  }

  @Test("A difference without one main cause names no step")
  func spreadOut() {
    let found = difference(150) { launches in
      let last = launches[20]
      let steps = last.steps.map { step in
        LaunchSummary.Step(
          id: step.id, state: .succeeded, duration: step.id == "fetch" ? 40_000_000 : 60_000_000)
      }
      launches[20] = last.with(outcome: .succeeded, steps: steps)
    }
    #expect(text(found)?.hasSuffix("slower than the last 20") == true)
  }

  @Test("The text report, the Markdown report and the page show the difference after the verdict")
  func reports() throws {
    let found = try #require(difference(150))
    let record = try ReportSample.ten.record
    var text = TextReport()
    text.difference = { _ in found }
    #expect(text.text(of: record).contains("slower than the last 20: index +"))
    var markdown = MarkdownReport()
    markdown.difference = found
    #expect(markdown.text(of: record).contains("slower than the last 20: <code>index</code> +"))
    var page = LaunchPage()
    page.difference = found.text { $0 }
    #expect(page.text(of: record).contains("slower than the last 20: index +"))
    #expect(!TextReport().text(of: record).contains("than the last"))
    #expect(!LaunchPage().text(of: record).contains("than the last"))
  }
}

extension LaunchSummary {
  fileprivate func with(outcome: Outcome, steps: [Step]) -> LaunchSummary {
    LaunchSummary(
      name: name, startedAt: startedAt, duration: duration, outcome: outcome, planDigest: planDigest,
      steps: steps)
  }
}

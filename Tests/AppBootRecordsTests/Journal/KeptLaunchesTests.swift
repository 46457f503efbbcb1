import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

import AppBootLibC

@Suite("The history of launches", .ownThread)
final class KeptLaunchesTests {
  private let directory: String
  private let history: KeptLaunches

  init() throws {
    directory = try FileSystem.makeTemporaryDirectory()
    history = KeptLaunches(directory: directory, manifest: nil)
  }

  deinit { try? FileSystem.removeTree(directory) }

  private func launch(_ number: Int, plan: String = "sha256:1", steps: [String] = ["a", "b"]) -> LaunchSummary
  {
    let digits = String(1000 + number).dropFirst()
    return LaunchSummary(
      name: "Test", startedAt: "2026-01-01T00:00:00.\(digits)Z", duration: 1_000_000 + Int64(number),
      outcome: .succeeded, labels: [LaunchLabel("number", "\(number)")], planDigest: plan,
      steps: steps.map { LaunchSummary.Step(id: $0, state: .succeeded, duration: Int64(number) * 1000) })
  }

  private func numbers() throws -> [String?] { try history.read().launches.map { $0.label("number") } }

  private func text() throws -> String {
    String(decoding: try FileSystem.readFile(history.path), as: UTF8.self)
  }

  @Test("A launch is read as it was added, with times of steps in microseconds")
  func roundTrip() throws {
    var record = RecordSample.record
    record.header.labels = [LaunchLabel("branch", "main")]
    let launch = LaunchSummary(record)
    try history.add(launch)
    let contents = try history.read()
    #expect(contents.launches == [launch])
    #expect(contents.damaged.isEmpty)
  }

  @Test("A history without a file is empty")
  func missing() throws {
    #expect(try history.read().launches.isEmpty)
    #expect(history.last(5, before: launch(1)).isEmpty)
  }

  @Test("The ids of the steps are written once for each plan")
  func plans() throws {
    for number in 1...3 { try history.add(launch(number)) }
    for number in 4...5 { try history.add(launch(number, plan: "sha256:2", steps: ["c"])) }
    let lines = try text().split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix(#"{"plan":"#) }.count == 2)
    #expect(lines.count == 7)
    #expect(try history.read().launches.map(\.planDigest).compactMap(\.self).last == "sha256:2")
    #expect(try numbers() == ["1", "2", "3", "4", "5"])
  }

  @Test("The oldest launches are removed once there are a quarter more than the limit")
  func pruning() throws {
    for number in 0..<50 { try history.add(launch(number), limits: HistoryLimits(keep: 40)) }
    #expect(try numbers().count == 50)
    try history.add(launch(50), limits: HistoryLimits(keep: 40))
    #expect(try numbers() == (11...50).map { "\($0)" })
    for number in 51...60 { try history.add(launch(number), limits: HistoryLimits(keep: 40)) }
    #expect(try numbers() == (11...60).map { "\($0)" })
  }

  @Test("A pruned history keeps the plans of its launches, and no others")
  func prunedPlans() throws {
    try history.add(launch(0, plan: "sha256:0"), limits: HistoryLimits(keep: 10))
    for number in 1...19 {
      try history.add(launch(number, plan: "sha256:\(number % 2)"), limits: HistoryLimits(keep: 10))
    }
    try history.add(launch(20, plan: "sha256:1"), limits: HistoryLimits(keep: 10))
    for number in 21...41 {
      try history.add(launch(number, plan: "sha256:1"), limits: HistoryLimits(keep: 10))
    }
    #expect(try text().split(separator: "\n").filter { $0.hasPrefix(#"{"plan":"#) }.count == 1)
    #expect(try history.read().damaged.isEmpty)
  }

  @Test("Launches older than the limit in days are removed once one is older by a quarter")
  func ages() throws {
    let limits = HistoryLimits(maxDays: 10)
    let day: Int64 = 86_400_000_000_000
    for age in [11, 6, 5] as [Int64] {
      let startedAt = WallClock.timestamp(nanoseconds: WallClock.now() - age * day)
      try history.add(
        LaunchSummary(name: "Test", startedAt: startedAt, duration: age, outcome: .succeeded, steps: []),
        limits: limits)
    }
    #expect(try history.read().launches.map(\.duration) == [11, 6, 5])
    let old = try text().split(separator: "\n", omittingEmptySubsequences: false)
    let older = WallClock.timestamp(nanoseconds: WallClock.now() - 13 * day)
    let first = try #require(try history.read().launches.first?.startedAt)
    let aged = old.map { $0.split(separator: first).joined(separator: older) }.joined(separator: "\n")
    try FileSystem.writeFile(atomically: Array(aged.utf8), to: history.path, mode: 0o600)
    try history.add(
      LaunchSummary(
        name: "Test", startedAt: WallClock.timestamp(), duration: 0, outcome: .succeeded, steps: []),
      limits: limits)
    #expect(try history.read().launches.map(\.duration) == [6, 5, 0])
  }

  @Test("Damaged lines are skipped and counted, and a torn last line does not damage the next launch")
  func damage() throws {
    try history.add(launch(1))
    let whole = try text()
    let torn = whole + "not JSON\n{\"startedAt\":1,\"plan\":\"x\"}\n" + whole.dropLast(40)
    try FileSystem.writeFile(atomically: Array(torn.utf8), to: history.path, mode: 0o600)
    try history.add(launch(2))
    try history.add(launch(3))
    #expect(try numbers() == ["1", "2", "3"])
    #expect(try history.read().damaged.count == 3)
  }

  @Test("Numbers that do not fit the steps damage only their line")
  func misfit() throws {
    try history.add(launch(1))
    try history.add(launch(2, steps: ["a", "b", "c"]))
    let key = launch(1).planKey
    let other = launch(2, steps: ["a", "b", "c"]).planKey
    let mixed = try text().split(separator: other).joined(separator: key)
    try FileSystem.writeFile(atomically: Array(mixed.utf8), to: history.path, mode: 0o600)
    let contents = try history.read()
    #expect(contents.launches.count + contents.damaged.count == 2)
    #expect(contents.damaged.count <= 1)
  }

  @Test("The last launches of a plan before a launch are read from the end of the file")
  func last() throws {
    for number in 1...30 { try history.add(launch(number, plan: "sha256:\(number % 2)")) }
    #expect(history.last(5, before: launch(30, plan: "sha256:0")).count <= 5)
    let same = history.last(100, before: launch(30, plan: "sha256:0")).compactMap { $0.label("number") }
    #expect(same == (1...14).map { "\(2 * $0)" })
  }

  @Test("Launches at once in several tasks lose no line, even while the file is pruned")
  func concurrent() async throws {
    let history = history
    let launches = (0..<200).map { launch($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for number in stride(from: part, to: 200, by: 4) {
            try history.add(
              launches[number], limits: HistoryLimits(keep: 100), patience: Patience.nanoseconds)
          }
        }
      }
      try await group.waitForAll()
    }
    let contents = try history.read()
    #expect(contents.damaged.isEmpty)
    #expect((100...125).contains(contents.launches.count))
  }

  @Test("A history whose path is a link is not written")
  func link() throws {
    let target = FileSystem.join(directory, "target")
    try FileSystem.writeFile(atomically: [], to: target)
    #expect(symlink(target, history.path) == 0)
    #expect(throws: SystemError.self) { try history.add(launch(1)) }
    #expect(try FileSystem.readFile(target).isEmpty)
  }

  @Test("A line of 5,000 steps has at most 40 KB")
  func size() throws {
    let ids = (0..<5000).map { "step-\($0)" }
    let steps = ids.enumerated().map { index, id in
      LaunchSummary.Step(id: id, state: .succeeded, duration: Int64(index) * 4_000_000)
    }
    let large = LaunchSummary(
      name: "Large", startedAt: "2026-01-01T00:00:00.000Z", duration: 20_000_000_000, outcome: .succeeded,
      steps: steps)
    try history.add(large)
    let first = try FileSystem.readFile(history.path).count
    try history.add(large)
    #expect(try FileSystem.readFile(history.path).count - first <= 45_000)
    #expect(try history.read().launches == [large, large])
  }

  @Test("Each manifest of a directory has its own history")
  func scopes() throws {
    try history.add(launch(1))
    let other = KeptLaunches(directory: directory, manifest: "x/ci.json")
    try other.add(launch(2))
    #expect(try other.read().launches.map { $0.label("number") } == ["2"])
    #expect(try KeptLaunches.all(in: directory).map(\.path) == [history.path, other.path])
  }
}

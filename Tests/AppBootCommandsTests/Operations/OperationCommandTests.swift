import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootCommands

@Suite("The operations before the work of a step", .ownThread)
struct OperationCommandTests {
  private func run(_ entries: [String], _ place: Place, id: String) throws -> LaunchRecord {
    Place.all.withLock { $0[id] = place }
    let commands = entries.enumerated().map { number, name in
      #"{ "command": "\#(name)", "id": "\#(number)", "after": [], "with": { "place": "\#(id)" } }"#
    }
    let plan = try StartupCommandsBuilder(
      parsing: #"{ "version": 1, "commands": [\#(commands.joined(separator: ", "))] }"#,
      registry: CommandRegistry(Holder.self, Late.self)
    ).build()
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 4
    let runner = LaunchRunner(plan, configuration: configuration)
    place.state.withLock { $0.runner = runner }
    return runner.runBlocking()
  }

  @Test("A step whose process cannot start yet waits while another step runs a process")
  func waits() throws {
    let place = Place(freeAfter: 3)
    let record = try run(["Holder", "Late", "Late"], place, id: "waits")
    #expect(record.succeeded)
    #expect(place.state.withLock(\.attempts) > 3)
    #expect(place.state.withLock(\.delays).contains("its process cannot start yet: no place"))
  }

  @Test("The record has the wait of a step whose process cannot start yet as a span")
  func span() throws {
    let record = try run(["Holder", "Late"], Place(freeAfter: 3), id: "span")
    let span = try #require(record[1].details.spans.first)
    #expect(record[1].details.spans.count == 1 && record[0].details.spans.isEmpty)
    #expect(span.name == "cannot start yet")
    let (start, end) = (
      try #require(record[1].execution.startTime), try #require(record[1].execution.endTime)
    )
    let spanEnd = try #require(span.endTime)
    #expect(span.startTime >= start && spanEnd <= end)
  }

  @Test("A step whose process cannot start fails after ten more attempts if no other step runs a process")
  func alone() throws {
    let place = Place(freeAfter: .max)
    let record = try run(["Late"], place, id: "alone")
    #expect(record[0].state.failure?.description.contains("no place") == true)
    #expect(place.state.withLock(\.attempts) == 11)
  }

  @Test("A shortage that another thread causes for a moment fails no step")
  func momentary() throws {
    let record = try run(["Late"], Place(freeAfter: .max, opensAt: 4), id: "momentary")
    #expect(record.succeeded)
  }

  @Test("Steps whose processes cannot start yet do not wait for each other")
  func together() throws {
    let place = Place(freeAfter: 3, isUsable: false)
    let record = try run(["Holder", "Late", "Late"], place, id: "together")
    #expect(record[0].state == .succeeded)
    #expect([record[1], record[2]].contains { $0.state.failure?.description.contains("no place") == true })
  }

  @Test("A step whose process cannot start yet is cancelled with the launch")
  func cancelled() throws {
    let record = try run(["Holder", "Late"], Place(freeAfter: .max, cancelsAfter: 3), id: "cancelled")
    #expect(record.outcome == .cancelled("test"))
    #expect(record.allSatisfy { if case .cancelled = $0.state { true } else { false } })
  }
}

/// The place that a holder has until others have tried to start a number of times.
private final class Place: Sendable {
  struct State: Sendable {
    var attempts = 0
    var isFree = false
    var runner: LaunchRunner?
    /// The obstacles that the runner reported at an attempt.
    var delays: [String] = []
  }

  static let all = Lock<[String: Place]>([:])

  let state = Lock(State())
  private let freeAfter: Int
  private let cancelsAfter: Int
  /// The attempt from which on the place is free without a holder.
  private let opensAt: Int
  /// True if the place helps those that wait.
  private let isUsable: Bool

  init(freeAfter: Int, cancelsAfter: Int = .max, opensAt: Int = .max, isUsable: Bool = true) {
    (self.freeAfter, self.cancelsAfter, self.opensAt) = (freeAfter, cancelsAfter, opensAt)
    self.isUsable = isUsable
  }

  static func named(_ name: String) throws -> Place {
    guard let place = all.withLock({ $0[name] }) else { throw NoPlace() }
    return place
  }

  /// True if the holder must end.
  var isWanted: Bool { state.withLock { $0.attempts >= freeAfter } }

  func release() { state.withLock { $0.isFree = isUsable } }

  func take() throws {
    let (isFree, attempts, runner) = state.withLock { state in
      state.attempts += 1
      return (state.isFree, state.attempts, state.runner)
    }
    if let delays = runner?.delays.values { state.withLock { $0.delays += delays } }
    if attempts == cancelsAfter { runner?.cancel("test") }
    guard isFree || attempts >= opensAt else { throw NoPlace() }
  }
}

private struct NoPlace: ShortageError, CustomStringConvertible {
  var isShortage: Bool { true }
  var description: String { "no place" }
}

/// A command that has the place until others want it.
private struct Holder: OperationCommand {
  static let options = CommandOptions(abstract: "Has the place.")
  @Parameter("The place.") var place: String

  func execute(in context: LaunchContext) async throws {}
  func start(in context: LaunchContext) throws -> any PolledOperation { Holding(try Place.named(place)) }
}

/// A command that needs the place.
private struct Late: OperationCommand {
  static let options = CommandOptions(abstract: "Needs the place.")
  @Parameter("The place.") var place: String

  func execute(in context: LaunchContext) async throws {}

  func start(in context: LaunchContext) throws -> any PolledOperation {
    try Place.named(place).take()
    return Holding(nil)
  }
}

/// An operation that looks each millisecond if its place is wanted; without a place it ends at once.
private final class Holding: PolledOperation {
  private let place: Place?
  private let isStopped = Lock(false)

  init(_ place: Place?) { self.place = place }

  var descriptors: [Int32] { [] }
  var nextDeadline: Int64? { MonotonicClock.now() + 1_000_000 }

  func advance() -> Result<Void, any Error>? {
    if isStopped.withLock(\.self) { return .failure(CancellationError()) }
    guard place?.isWanted ?? true else { return nil }
    place?.release()
    return .success(())
  }

  func release() {}
  func stop(isForced: Bool) { isStopped.withLock { $0 = true } }
}

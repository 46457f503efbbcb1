import AppBoot
import AppBootCommands
import AppBootTestKit
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import LifecycleKit

private struct Mishap: Error {}

private struct Failing: Service {
  func run() async throws { throw Mishap() }
}

/// A list of lines that a test can wait for.
private final class Log: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
  func waitFor(_ line: String) async { while !all.contains(line) { await Task.yield() } }
}

@Suite("swift-service-lifecycle")
struct LifecycleTests {
  private let log = Log()

  private func ticker(_ name: String) -> RunLifecycleService {
    RunLifecycleService(Ticker(name) { [log] in log.add($0) })
  }

  @Test("A Service inside AppBoot shuts down gracefully, in reverse order")
  func inside() async throws {
    let runner = try ServiceRunner(LaunchPlan(sequence: [ticker("a"), ticker("b")]))
    let run = Task { try await runner.run() }
    await log.waitFor("a runs")
    await log.waitFor("b runs")
    runner.shutDown()
    _ = try await run.value
    #expect(log.all.suffix(2) == ["b shuts down", "a shuts down"])
  }

  @Test("A Service that throws inside AppBoot ends the app, and the others shut down")
  func failing() async throws {
    let runner = try ServiceRunner(LaunchPlan(sequence: [ticker("a"), RunLifecycleService(Failing())]))
    await #expect(throws: (any Error).self) { try await runner.run() }
    #expect(log.all.last == "a shuts down")
  }

  @Test("AppBoot inside a ServiceGroup shuts its services down with the group")
  func grouped() async throws {
    let plan = LaunchPlan(sequence: [ticker("a"), ticker("b")])
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(service: Ticker("outer") { [log] in log.add($0) }),
          .init(service: try AppBootService(plan)),
        ], logger: Logger(label: "test")))
    let run = Task { try await group.run() }
    await log.waitFor("b runs")
    await log.waitFor("outer runs")
    await group.triggerGracefulShutdown()
    try await run.value
    #expect(log.all.suffix(3) == ["b shuts down", "a shuts down", "outer shuts down"])
  }

  @Test("AppBoot inside a ServiceGroup runs its handlers of willTerminate when the group shuts down")
  func handlers() async throws {
    let plan = try LaunchPlan("Group") {
      Step("a", ticker("a"))
      On(.didBecomeActive) { Step("show") { [log] _ in log.add("ready") } }
      On(.willTerminate) { Step("save") { [log] _ in log.add("saved") } }
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: try AppBootService(plan))], logger: Logger(label: "test")))
    let run = Task { try await group.run() }
    await log.waitFor("a runs")
    await log.waitFor("ready")
    await group.triggerGracefulShutdown()
    try await run.value
    #expect(log.all.suffix(2) == ["saved", "a shuts down"])
  }

  @Test("Later commands can use the values of a service")
  func provided() async throws {
    let address = Mutex<String?>(nil)
    let read = FakeCommand { context in
      let connection = try context.require(.mail)
      address.withLock { $0 = "\(type(of: connection))" }
    }
    let runner = try ServiceRunner(LaunchPlan(sequence: [Mailbox(), read]))
    let run = Task { try await runner.run() }
    while address.withLock({ $0 }) == nil { await Task.yield() }
    runner.shutDown()
    _ = try await run.value
    #expect(address.withLock { $0 } == "MailConnection")
  }

  @Test("A group that AppBoot runs in shuts down in reverse order at TERM")
  func signal() throws {
    let group = try Program("group")
    try group.waitFor("database runs")
    try group.waitFor("server runs")
    let end = try group.end()
    #expect(end.status == 0)
    #expect(end.output.hasSuffix("server shuts down\ndatabase shuts down\ngroup ended\n"))
  }

  @Test("A runner that handles signals runs willTerminate at TERM, then shuts down in reverse order")
  func runnerSignal() throws {
    let app = try Program("stay")
    try app.waitFor("server runs")
    try app.waitFor("ready")
    let end = try app.end()
    #expect(end.status == 0)
    #expect(end.output.hasSuffix("saved\nserver shuts down\ndatabase shuts down\napp ended\n"))
  }

  @Test("Services in Swift have a row in status, a log, and requests of their own")
  func tool() throws {
    let state = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: state) }
    func ask(_ arguments: String...) throws -> String {
      try Program("server", arguments + ["--state", state]).rest()
    }
    let app = try Program("server", ["run", "--state", state])
    try app.waitFor("Everything is ready.")
    try app.waitFor("Heartbeat | beat")
    let status = try ask("status")
    #expect(status.contains("Mailbox       ready for"))
    #expect(status.contains("; healthy: connected to localhost:143\n"))
    #expect(try ask("restart", "Mailbox") == "Mailbox: ready\n")
    #expect(try ask("stop", "Heartbeat") == "Heartbeat: stopped (returned)\n")
    #expect(try ask("status").contains("Heartbeat     stopped (returned)"))
    #expect(try ask("logs", "Heartbeat").contains("beat\n"))
    let end = try app.end()
    #expect(end.status == 0)
    #expect(end.output.contains("ticker shuts down\n"))
  }
}

/// A running program of this package.
private final class Program {
  /// The folder with the built programs and tests.
  private static var products: URL {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }

  private let process = Process()
  private let pipe = Pipe()
  private var output = ""

  init(_ name: String, _ arguments: [String] = []) throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    process.executableURL = Self.products.appending(path: name)
    process.currentDirectoryURL = package
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
  }

  /// Reads the output until it has a text.
  func waitFor(_ text: String) throws {
    while !output.contains(text) {
      let data = pipe.fileHandleForReading.availableData
      try #require(!data.isEmpty, "\(output)")
      output += String(decoding: data, as: UTF8.self)
    }
  }

  /// Waits for the end of the program. Returns its output.
  func rest() throws -> String {
    output += String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return output
  }

  /// Sends TERM, and waits for the end.
  func end() throws -> (status: Int32, output: String) {
    process.terminate()
    let output = try rest()
    return (process.terminationStatus, output)
  }
}

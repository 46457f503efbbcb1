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
    let runner = try ServiceRunner(StartupPlan(sequence: [ticker("a"), ticker("b")]))
    let run = Task { try await runner.run() }
    await log.waitFor("a runs")
    await log.waitFor("b runs")
    runner.shutDown()
    _ = try await run.value
    #expect(log.all.suffix(2) == ["b shuts down", "a shuts down"])
  }

  @Test("A Service that throws inside AppBoot ends the app, and the others shut down")
  func failing() async throws {
    let runner = try ServiceRunner(StartupPlan(sequence: [ticker("a"), RunLifecycleService(Failing())]))
    await #expect(throws: (any Error).self) { try await runner.run() }
    #expect(log.all.last == "a shuts down")
  }

  @Test("AppBoot inside a ServiceGroup shuts its services down with the group")
  func grouped() async throws {
    let plan = StartupPlan(sequence: [ticker("a"), ticker("b")])
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

  @Test("Later commands can use the values of a service")
  func provided() async throws {
    let address = Mutex<String?>(nil)
    let read = FakeCommand { context in
      let connection = try context.require(.mail)
      address.withLock { $0 = "\(type(of: connection))" }
    }
    let runner = try ServiceRunner(StartupPlan(sequence: [Mailbox(), read]))
    let run = Task { try await runner.run() }
    while address.withLock({ $0 }) == nil { await Task.yield() }
    runner.shutDown()
    _ = try await run.value
    #expect(address.withLock { $0 } == "MailConnection")
  }

  @Test("A group that AppBoot runs in shuts down in reverse order at TERM")
  func signal() throws {
    let process = Process()
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    process.executableURL = package.appending(path: ".build/debug/group")
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("server runs") || !text.contains("database runs") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      text += String(decoding: data, as: UTF8.self)
    }
    process.terminate()
    text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.hasSuffix("server shuts down\ndatabase shuts down\ngroup ended\n"))
  }
}

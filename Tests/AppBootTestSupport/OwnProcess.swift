import AppBootSystem
package import Testing

/// A trait that runs a suite, or one test, in a process of its own.
///
/// Use it for tests that change or read state of the whole process: signals, the environment, descriptors, memory, or a
/// blocked main actor. The process runs the test executable with a filter, and a failure shows its output.
package struct OwnProcess: SuiteTrait, TestTrait, TestScoping {
  /// More variables for the environment of the process.
  var environment: [String: String] = [:]

  /// The name of the variable that marks the process.
  private static let variable = "APPBOOT_OWN_PROCESS"

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard ProcessEnvironment.value(of: Self.variable) == nil else { return try await function() }
    let request = request(for: test)
    try await OwnThreads.run {
      await Slots.shared.take()
      defer { Slots.shared.release() }
      try await TestTimes.measure(test) {
        let result = try Self.run(request)
        // A filter that matches nothing also succeeds.
        let hasRun = result.output.contains(#/Test run with [1-9]\d* tests? .*passed/#)
        if result.end != .exited(0) || !hasRun {
          Issue.record("the process \(result.end.words):\n\(result.output)")
        }
      }
    }
  }

  private func request(for test: Test) -> ProcessRequest {
    // Without the options of this process: its filters would select other tests, too.
    #if canImport(Darwin)
    let bundle = CommandLine.arguments.firstIndex(of: "--test-bundle-path")
    let program = bundle.map { CommandLine.arguments[...0] + CommandLine.arguments[$0...].prefix(3) } ?? []
    #else
    let program = CommandLine.arguments[...0]
    #endif
    let name = test.isSuite ? "\(test.name)/" : ".*/\(test.name.prefix { $0 != "(" })\\("
    return ProcessRequest(
      program + [
        "--testing-library", "swift-testing", "--filter", "^\(test.sourceLocation.moduleName)\\.\(name)",
      ],
      environment: environment.merging([Self.variable: "1", TestTimes.variable: ""]) { $1 },
      captureOutput: true)
  }

  /// Runs a process to its end, at most ten minutes. Returns both streams and the end.
  private static func run(_ request: ProcessRequest) throws -> (output: String, end: ProcessEnd) {
    let process = try request.start()
    let poller = try Poller()
    var output: [UInt8] = []
    if let descriptor = process.outputDescriptor { try poller.add(descriptor, token: 0) }
    try poller.add(process.exitDescriptor(), token: 1)
    let deadline = MonotonicClock.now() + 600_000_000_000
    while process.end() == nil {
      let tokens = try poller.wait(deadline: deadline)
      if tokens.contains(0) {
        let isOpen = process.readOutput { output += $0 }
        if !isOpen, let descriptor = process.outputDescriptor { poller.remove(descriptor) }
      }
      if MonotonicClock.now() >= deadline {
        output += Array("timed out after 600 s\n".utf8)
        process.killGroup(Signals.kill)
        break
      }
    }
    let end = process.wait()
    _ = process.readOutput { output += $0 }
    process.finish()
    return (String(decoding: output, as: UTF8.self), end)
  }
}

extension Trait where Self == OwnProcess {
  /// A trait that runs a suite, or one test, in a process of its own.
  package static var ownProcess: Self { OwnProcess() }

  /// A trait that runs a suite, or one test, in a process of its own with more variables.
  package static func ownProcess(environment: [String: String]) -> Self {
    OwnProcess(environment: environment)
  }
}

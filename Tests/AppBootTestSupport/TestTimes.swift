import AppBootSystem
import Testing

/// The times of tests in their slots.
///
/// Swift Testing starts all tests at once, so its times include the wait for a slot. These begin after it. If the
/// variable `APPBOOT_TEST_TIMES` names a file, each test adds a line with its nanoseconds, its place and its name.
enum TestTimes {
  static let variable = "APPBOOT_TEST_TIMES"

  private static let file: AppendFile? = {
    guard let path = ProcessEnvironment.value(of: variable), !path.isEmpty else { return nil }
    return try? AppendFile(path)
  }()

  /// Runs a test that has its slot.
  static func measure(_ test: Test, _ body: () async throws -> Void) async rethrows {
    guard let file else { return try await body() }
    let begin = MonotonicClock.now()
    defer {
      let line =
        "\(MonotonicClock.now() - begin)\t\(test.sourceLocation.fileID)\t\(test.displayName ?? test.name)\n"
      try? file.append(Array(line.utf8))
    }
    try await body()
  }
}

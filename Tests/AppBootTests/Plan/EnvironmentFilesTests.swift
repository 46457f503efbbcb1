import AppBoot
import AppBootSystem
import Testing

@Suite("The environment files of a plan in code")
struct EnvironmentFilesTests {
  /// Runs a function with a directory that has the files `a.env` and `b.env`.
  private func withFiles<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-test")
    defer { try? FileSystem.removeTree(directory) }
    try write("PORT=8080\nHOST=h.org\n", to: directory + "/a.env")
    try write("PORT=9090\n", to: directory + "/b.env")
    return try await body(directory)
  }

  private func write(_ text: String, to path: String) throws {
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
  }

  private func note(_ id: String) -> Step {
    Step(id) { $0.note("\($0.environment("HOST") ?? "-") \($0.environment("PORT") ?? "-")") }
  }

  @Test("Steps and conditions see the variables, and the environment has priority")
  func variables() async throws {
    let notes = try await withFiles { directory in
      let builder = StartupCommandsBuilder {
        EnvironmentFiles("\(directory)/a.env", "\(directory)/missing.env?")
        note("all")
        note("own").environment(files: "\(directory)/b.env")
        note("skipped").when(.environment("PORT", is: "9090"))
      }
      let record = try await builder.environment(["HOST": "local"]).build().run()
      return record.map { $0.details.note ?? $0.state.name }
    }
    #expect(notes == ["local 8080", "local 9090", "skipped"])
  }

  @Test("A missing file and its mistakes are reported at the line of the part or of the step")
  func mistakes() async throws {
    try await withFiles { directory in
      try write("no value\n", to: directory + "/a.env")
      let line = #line
      func plan() throws -> LaunchPlan {
        try LaunchPlan {
          EnvironmentFiles("\(directory)/a.env", "")
          Step("a", Plain()).environment(files: "\(directory)/missing.env", "?")
        }
      }
      let error = #expect(throws: PlanError.self) { try plan() }
      let found = error?.mistakes.map { "\($0.line - line): \($0.message)" } ?? []
      #expect(
        found.map { $0.replacing(directory, with: "D") } == [
          "3: \"D/a.env\", line 1: the line has no \"=\": write NAME=VALUE",
          "3: \"files[1]\" must not be empty",
          "4: \"D/missing.env\" cannot be read: no such file or directory",
          "4: \"files[1]\" must name a file before the \"?\"",
        ])
    }
  }
}

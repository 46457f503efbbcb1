@testable import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The search for programs", .ownProcess)
struct ProgramSearchTests {
  @Test("A program that AppBoot needs is looked up only in absolute directories, for root in fixed ones")
  func helperPath() {
    let system = ProgramSearch.helperPath(of: ".")
    #expect(system.hasPrefix("/usr/local/sbin:") && !system.contains("::"))
    let path = ProgramSearch.helperPath(of: ":/a:.:b/c::/d:")
    #expect(path == (ProgramSearch.isPrivileged ? system : "/a:/d"))
  }

  @Test("A program that AppBoot needs does not run from the current directory, and inherits no other PATH")
  func helper() throws {
    let directory = try TemporaryDirectory()
    for name in ["appboot-no-such", "env"] {
      try directory.write(name, "#!/bin/sh\necho wrong\n", mode: 0o755)
    }
    var request = ProcessRequest(
      ["appboot-no-such"], directory: directory.path, environment: ["PATH": ".:"], captureOutput: true)
    request.isHelper = true
    #expect(throws: SpawnError.self) { try request.start() }
    request.arguments = ["env"]
    let process = try request.start()
    #expect(process.wait() == .exited(0))
    var output: [UInt8] = []
    _ = process.readOutput { output += $0 }
    process.finish()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("PATH=\(ProgramSearch.helperPath(of: ".:"))"))
  }
}

#if os(Linux)
import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The memory of processes", .ownThread)
struct ProcessUsageTests {
  /// Returns the resident bytes of one process, as the system counts them.
  private func resident(_ process: Int32) throws -> Int64 {
    let numbers = String(decoding: try FileSystem.readFile("/proc/\(process)/statm"), as: UTF8.self)
    return try #require(Int64(numbers.split(separator: " ")[1])) * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }

  @Test("The memory of a process is the resident memory of it and its descendants, with shared pages in each")
  func trees() throws {
    let pipe = try Pipe()
    let script = "sh -c 'sleep 1000 & echo $$ $!; wait' & wait"
    let process = try ProcessRequest(["sh", "-c", script], passing: [pipe.readEnd, pipe.writeEnd]).start()
    let root = process.processIdentifier
    var line = ""
    #expect(
      Patience.wait {
        line += String(decoding: pipe.readAvailable(), as: UTF8.self)
        return line.hasSuffix("\n")
      })
    let family = line.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    try #require(family.count == 2)
    // A process has its final size when its program has started.
    #expect(
      try Patience.wait {
        let sizes = try [root, family[0], family[1]].map(resident)
        let found = ProcessUsage.ofTrees([root, family[0]]).mapValues(\.memory)
        return found == [root: sizes.reduce(0, +), family[0]: sizes[1] + sizes[2]]
          && sizes.allSatisfy { $0 > 0 }
      })
    process.killGroup(Signals.kill)
    _ = process.wait()
    process.finish()
    #expect(ProcessUsage.ofTrees([root]).isEmpty)
  }
}
#endif

import AppBootSystem
import Testing

@Suite("The host")
struct HostTests {
  @Test("has a system, a release, an architecture and a processor")
  func current() {
    let host = Host.current()
    #expect(!host.system.isEmpty && !host.release.isEmpty && !host.architecture.isEmpty)
    #expect(Host.processorCount >= 1)
  }

  #if os(Linux)
  @Test("may use as many processors as the kernel's list for this process has")
  func usableProcessors() throws {
    let status = String(
      decoding: try FileSystem.readStart(of: "/proc/self/status", limit: 8192), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    // Such as 0-3,8.
    let ranges = line.dropFirst("Cpus_allowed_list:".count).split(whereSeparator: { ", \t".contains($0) })
    let count = ranges.reduce(0) { sum, range in
      let ends = range.split(separator: "-").compactMap { Int($0) }
      return sum + (ends.last ?? 0) - (ends.first ?? 0) + 1
    }
    #expect(Host.usableProcessorCount == count)
  }
  #endif

  @Test("reads the first processor's name from /proc/cpuinfo")
  func processorModel() {
    let text = "processor\t: 0\nmodel name\t: Foo: 9000\nprocessor\t: 1\nmodel name\t: Bar\n"
    #expect(Host.processorModel(inCPUInfo: Array(text.utf8)) == "Foo: 9000")
    #expect(Host.processorModel(inCPUInfo: Array("processor : 0\n".utf8)) == nil)
  }
}

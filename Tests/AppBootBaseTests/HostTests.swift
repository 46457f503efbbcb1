import AppBootBase
import Testing

@Suite("Host")
struct HostTests {
  @Test("The host has a system, a release, an architecture and a processor")
  func current() {
    let host = Host.current()
    #expect(!host.system.isEmpty && !host.release.isEmpty && !host.architecture.isEmpty)
    #expect(Host.processorCount >= 1)
  }

  #if os(Linux)
  @Test("The number of usable processors matches the kernel's list for this process")
  func usableProcessors() throws {
    let status = String(decoding: try FileSystem.readFile("/proc/self/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    // For example 0-3,8.
    let ranges = line.dropFirst("Cpus_allowed_list:".count).split(whereSeparator: { ", \t".contains($0) })
    let count = ranges.reduce(0) { sum, range in
      let ends = range.split(separator: "-").compactMap { Int($0) }
      return sum + (ends.last ?? 0) - (ends.first ?? 0) + 1
    }
    #expect(Host.usableProcessorCount == count)
  }
  #endif

  @Test("The processor's name is the first model name in /proc/cpuinfo")
  func processorModel() {
    let text = "processor\t: 0\nmodel name\t: Foo: 9000\nprocessor\t: 1\nmodel name\t: Bar\n"
    #expect(Host.processorModel(inCPUInfo: Array(text.utf8)) == "Foo: 9000")
    #expect(Host.processorModel(inCPUInfo: Array("processor : 0\n".utf8)) == nil)
  }
}

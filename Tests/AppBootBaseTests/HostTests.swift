import AppBootBase
import Testing

@Suite("Host")
struct HostTests {
  @Test("A machine has a processor")
  func processors() {
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
}

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
  @Test("has as many processors as nproc(1) says that this process may use")
  func processorCount() throws {
    let process = try ProcessRequest(["sh", "-c", "printf %s $(nproc)"], captureOutput: true).start()
    #expect(Int(output(of: process)) == Host.processorCount)
  }
  #endif

  @Test("reads the first processor's name from /proc/cpuinfo")
  func processorModel() {
    let text = "processor\t: 0\nmodel name\t: Foo: 9000\nprocessor\t: 1\nmodel name\t: Bar\n"
    #expect(Host.processorModel(inCPUInfo: Array(text.utf8)) == "Foo: 9000")
    #expect(Host.processorModel(inCPUInfo: Array("processor : 0\n".utf8)) == nil)
  }
}

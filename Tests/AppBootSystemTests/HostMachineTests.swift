import AppBootSystem
import Testing

@Suite("The facts about a machine")
struct HostMachineTests {
  @Test("A machine has a system, a release and an architecture")
  func kernel() {
    let kernel = Host.kernel()
    #expect(!kernel.system.isEmpty && !kernel.release.isEmpty && !kernel.architecture.isEmpty)
  }

  @Test("The processor's name is the first model name in /proc/cpuinfo")
  func processorModel() {
    let text = "processor\t: 0\nmodel name\t: Foo: 9000\nprocessor\t: 1\nmodel name\t: Bar\n"
    #expect(Host.processorModel(inCPUInfo: Array(text.utf8)) == "Foo: 9000")
    #expect(Host.processorModel(inCPUInfo: Array("processor : 0\n".utf8)) == nil)
  }
}

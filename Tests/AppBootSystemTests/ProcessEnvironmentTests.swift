import AppBootSystem
import Testing

@Suite("The environment")
struct ProcessEnvironmentTests {
  @Test("gives one variable and all of them alike")
  func oneAndAll() {
    #expect(ProcessEnvironment.all()["PATH"] == ProcessEnvironment.value(of: "PATH"))
    #expect(ProcessEnvironment.value(of: "APPBOOT_TEST_UNSET") == nil)
  }
}

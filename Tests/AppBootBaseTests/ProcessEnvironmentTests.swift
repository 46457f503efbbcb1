import AppBootBase
import Testing

@Suite("ProcessEnvironment")
struct ProcessEnvironmentTests {
  @Test("One variable has the same value as among all variables")
  func oneAndAll() {
    #expect(ProcessEnvironment.all()["PATH"] == ProcessEnvironment.value(of: "PATH"))
    #expect(ProcessEnvironment.value(of: "APPBOOT_TEST_UNSET") == nil)
  }
}

import AppBootSystem
import Testing

@Suite("A system error")
struct SystemErrorTests {
  @Test("says what was attempted, on which file, and why it failed")
  func description() {
    let error = SystemError(call: "open", path: "x.json", code: 13)
    #expect(error.description == #"cannot open "x.json": permission denied"#)
  }

  @Test("does without a file where there is none")
  func withoutPath() {
    let error = SystemError(call: "create a pipe", code: 24)
    #expect(error.description == "cannot create a pipe: too many open files")
  }

  @Test("has words for a code that the system does not know")
  func unknownCode() {
    #expect(SystemError.message(for: 99_999).contains("99999"))
  }
}

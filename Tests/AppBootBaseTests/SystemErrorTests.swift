import AppBootBase
import Testing

@Suite("SystemError")
struct SystemErrorTests {
  @Test("The message has the action, the file and the reason")
  func description() {
    let error = SystemError(call: "open", path: "x.json", code: 13)
    #expect(error.description == #"cannot open "x.json": permission denied"#)
  }

  @Test("The message of an error without a file has the action and the reason")
  func withoutPath() {
    let error = SystemError(call: "create a pipe", code: 24)
    #expect(error.description == "cannot create a pipe: too many open files")
  }

  @Test("An unknown code has a message with its number")
  func unknownCode() {
    #expect(SystemError.message(for: 99_999).contains("99999"))
  }
}

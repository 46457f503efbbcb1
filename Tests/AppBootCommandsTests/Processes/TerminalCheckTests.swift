import Testing

@testable import AppBootCommands

@Suite("The checks for a process that asks for the terminal")
struct TerminalCheckTests {
  @Test("A process is checked every 250 ms, and two processes at the same times")
  func interval() {
    var check = TerminalCheck(hasTerminal: true, at: 1_010_000_000)
    let other = TerminalCheck(hasTerminal: true, at: 1_240_000_000)
    #expect(check.due == 1_250_000_000 && other.due == check.due)
    let answers = [1_249_999_999, 1_250_000_000, 1_250_000_001, 1_500_000_000].map { check.isDue(at: $0) }
    #expect(answers == [false, true, false, true])
    #expect(check.due == 1_750_000_000)
  }

  @Test("Without a terminal there are no checks")
  func noTerminal() {
    var check = TerminalCheck(hasTerminal: false, at: 0)
    let isDue = check.isDue(at: .max)
    #expect(check.due == nil && !isDue)
  }
}

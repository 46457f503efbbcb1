import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBootCommands

@Suite("The program of \"unless\"")
struct ProgramCheckTests {
  private func check(_ arguments: String...) throws -> ProgramCheck {
    try ProgramCheck(
      ProcessRequest(arguments, of: LaunchPlan(sequence: [FakeCommand()]).detachedContexts()(0), beside: nil)
    )
  }

  @Test("A released program that still runs has been killed and reaped")
  func release() throws {
    let check = try check("sleep", "1000")
    check.release()
    #expect(check.advance() == false)
  }

  @Test("A program whose step is cancelled ends at once, even if it ignores SIGTERM")
  func cancellation() throws {
    let check = try check("sh", "-c", "trap '' TERM; while :; do sleep 1000; done")
    #expect(throws: CancellationError.self) { try check.wait { true } }
    check.release()
    #expect(check.advance() == false)
  }

  @Test("A program of \"unless\" has /dev/null as its standard streams, so it never blocks on them")
  func streams() throws {
    let check = try check("sh", "-c", "yes | head -c 300000; yes | head -c 300000 >&2; ! read line")
    defer { check.release() }
    #expect(check.descriptors.count == 1)
    #expect(try check.wait { false })
  }
}

import AppBoot
import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Output that is dropped", .ownProcess)
struct DroppedOutputTests {
  @Test("A warning at the end counts the output that was dropped beyond 16 MiB")
  func warning() throws {
    Signals.ignoreBrokenPipes()
    let (pipe, errors) = (try Pipe(), try Pipe())
    let streams = [dup(1), dup(2)]
    dup2(pipe.writeEnd, 1)
    dup2(errors.writeEnd, 2)
    let tool = ToolContext(name: "tool", version: "1", registry: CommandRegistry())
    StandardOutput.writeInBackground([tool.output])
    tool.warnOfDroppedOutput()
    tool.output.write(String(repeating: "a", count: StandardOutput.mostWaiting + 1_000_000))
    for _ in 0..<3 { tool.output.offer("a") }
    tool.warnOfDroppedOutput()
    pipe.closeReadEnd()
    try tool.output.settle(within: .max)
    for (number, stream) in streams.enumerated() {
      dup2(stream, Int32(number) + 1)
      close(stream)
    }
    #expect(
      String(decoding: errors.readAvailable(), as: UTF8.self)
        == "tool: warning: the reader of standard output or standard error was too slow: "
        + "3 pieces of output were dropped; read the record or the logs instead\n")
  }
}

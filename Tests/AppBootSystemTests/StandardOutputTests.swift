import AppBootSystem
import Testing

@Suite("StandardOutput")
struct StandardOutputTests {
  @Test("Output is buffered until it is flushed")
  func buffers() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    output.write("a")
    #expect(pipe.isEmpty)
    output.write("é\n")
    try output.flush()
    #expect(pipe.readAvailable() == Array("aé\n".utf8))
  }

  @Test("A full buffer is written without a flush")
  func limit() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd, limit: 3)
    output.write("abcd")
    #expect(pipe.readAvailable() == Array("abcd".utf8))
  }

  @Test("Output to a non-blocking descriptor waits for a slow reader")
  func slowReader() throws {
    let pipe = try Pipe(nonBlocking: true)
    let output = StandardOutput(descriptor: pipe.writeEnd)
    let text = String(repeating: "0123456789", count: 100_000)
    let reader = try Thread.start(name: "reader") { [pipe] in pipe.count(to: text.utf8.count) }
    output.write(text)
    try output.flush()
    reader.join()
    #expect(pipe.counted == text.utf8.count)
  }

  @Test("Output is dropped silently after the reader closes its end")
  func reader() throws {
    Signals.ignoreBrokenPipes()
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    pipe.closeReadEnd()
    output.write("a")
    try output.flush()
    #expect(output.isClosed)
    output.write("b")
    try output.flush()
  }

  @Test("Every flush reports a full disk")
  func fullDisk() throws {
    guard let full = try Pipe.openForWriting("/dev/full") else { return }
    let output = StandardOutput(descriptor: full)
    output.write("a")
    let expected = SystemError(call: "write to standard output", code: 28)
    #expect(throws: expected) { try output.flush() }
    #expect(throws: expected) { try output.flush() }
  }
}

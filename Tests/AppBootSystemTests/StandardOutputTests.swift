import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("StandardOutput", .ownProcess)
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

@Suite("Output in the background", .ownProcess)
struct BackgroundOutputTests {
  init() { Signals.ignoreBrokenPipes() }

  /// Closes the reader's end, and waits until no thread uses the pipe: its descriptors may then be others'.
  private func abandon(_ pipe: Pipe, _ output: StandardOutput) throws {
    pipe.closeReadEnd()
    try output.settle(within: .max)
  }

  private func text(_ count: Int) -> String { String(repeating: "0123456789", count: count / 10) }

  @Test("A stalled reader blocks neither a write nor a flush")
  func unread() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    let text = text(1_000_000)
    output.write(text)
    try output.flush()
    #expect(output.isBusy)
    let reader = try Thread.start(name: "reader") { [pipe] in pipe.count(to: text.utf8.count) }
    try output.settle()
    reader.join()
    #expect(pipe.counted == text.utf8.count)
    #expect(!output.isBusy)
  }

  @Test("Streams to the same file keep the order of their text")
  func order() throws {
    let pipe = try Pipe()
    let (output, errors) = (
      StandardOutput(descriptor: pipe.writeEnd), StandardOutput(descriptor: pipe.writeEnd, limit: 0)
    )
    StandardOutput.writeInBackground([output, errors])
    var expected = ""
    for number in 0..<1000 {
      output.write("out \(number)\n")
      try output.flush()
      errors.write("err \(number)\n")
      expected += "out \(number)\nerr \(number)\n"
    }
    try output.settle()
    #expect(String(decoding: pipe.readAvailable(), as: UTF8.self) == expected)
  }

  @Test("A stalled reader of one stream does not delay another stream")
  func independent() throws {
    let (stuck, pipe) = (try Pipe(), try Pipe())
    let (output, errors) = (
      StandardOutput(descriptor: stuck.writeEnd), StandardOutput(descriptor: pipe.writeEnd)
    )
    StandardOutput.writeInBackground([output, errors])
    output.write(text(200_000))
    try output.flush()
    errors.write("a")
    try errors.settle()
    #expect(pipe.readAvailable() == Array("a".utf8))
    #expect(output.isBusy)
    try abandon(stuck, output)
  }

  @Test("A stream is behind while much output waits for its reader, unless it accepts all")
  func behind() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    output.write(text(StandardOutput.capacity + 200_000))
    try output.flush()
    #expect(output.isBehind)
    output.acceptAll()
    #expect(!output.isBehind)
    try abandon(pipe, output)
  }

  @Test("Offered text is dropped and counted if too much waits; written text never is")
  func dropped() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    let text = text(StandardOutput.mostWaiting + 200_000)
    output.write(text)
    try output.flush()
    output.offer("a")
    output.write("b")
    #expect(output.dropped == 1)
    let reader = try Thread.start(name: "reader") { [pipe] in pipe.count(to: text.utf8.count + 1) }
    try output.settle()
    reader.join()
    #expect(pipe.counted == text.utf8.count + 1)
  }

  @Test("Output waits in memory up to 1 MiB, and offered text up to 16 MiB")
  func capacities() throws {
    #expect(StandardOutput.capacity == 1 << 20)
    #expect(StandardOutput.mostWaiting == 16 << 20)
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    output.write(text(StandardOutput.capacity))
    try output.flush()
    #expect(!output.isBehind)
    output.write(text(StandardOutput.mostWaiting - StandardOutput.capacity))
    output.offer("a")
    #expect(output.isBehind && output.dropped == 0)
    try abandon(pipe, output)
  }

  @Test("A process that must end soon waits at most 2 s for each reader")
  func patience() { #expect(Duration.nanoseconds(StandardOutput.patience) == .seconds(2)) }

  @Test("The wait for a reader ends at its limit, and all waits after hurry() share one limit")
  func limits() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    output.write(text(200_000))
    try output.settle(within: 1)
    #expect(output.isBusy)
    let begin = MonotonicClock.now()
    output.hurry(within: 50_000_000)
    try output.settle()
    #expect(MonotonicClock.now() - begin >= 50_000_000)
    #expect(output.isBusy)
    // The limit has passed. Without it, or with one of its own, this wait would not end.
    output.hurry(within: .max)
    try output.settle()
    #expect(output.isBusy)
    try abandon(pipe, output)
  }

  @Test("A closed reader is noticed when everything was written")
  func closed() throws {
    let pipe = try Pipe()
    let output = StandardOutput(descriptor: pipe.writeEnd)
    StandardOutput.writeInBackground([output])
    pipe.closeReadEnd()
    output.write("a")
    try output.settle()
    #expect(output.isClosed)
  }
}

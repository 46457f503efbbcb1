import AppBootSystem
import AppBootLibC

/// A pipe for one test.
package final class Pipe: Sendable {
  package let readEnd: Int32
  package let writeEnd: Int32
  private let isReadEndOpen = Lock(true)
  private let count = Lock(0)

  package init(nonBlocking: Bool = false) throws {
    let ends = try Descriptor.makePipe()
    readEnd = ends.read
    writeEnd = ends.write
    if nonBlocking { Descriptor.setNonBlocking(ends.write) }
  }

  deinit {
    closeReadEnd()
    Descriptor.close(writeEnd)
  }

  package var counted: Int { count.withLock(\.self) }

  package var isEmpty: Bool { !Descriptor.wait(readEnd, for: Int32(POLLIN), until: 0) }

  package func closeReadEnd() {
    let wasOpen = isReadEndOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { Descriptor.close(readEnd) }
  }

  package func put(_ bytes: [UInt8]) throws { try FileSystem.writeAll(writeEnd, bytes, path: nil) }

  /// Reads the bytes that are in the pipe now.
  package func readAvailable() -> [UInt8] {
    var bytes: [UInt8] = []
    while !isEmpty {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let size = read(readEnd, &chunk, chunk.count)
      guard size > 0 else { break }
      bytes += chunk.prefix(size)
    }
    return bytes
  }

  /// Reads and counts bytes up to a total.
  package func count(to total: Int) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while counted < total {
      let size = read(readEnd, &chunk, chunk.count)
      guard size > 0 else { return }
      count.withLock { $0 += size }
    }
  }

  package static func openForWriting(_ path: String) throws -> Int32? {
    FileSystem.exists(path) ? try FileSystem.open(path, O_WRONLY) : nil
  }
}

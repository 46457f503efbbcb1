import AppBootSystem

/// A list of lines to which any thread can add.
package final class Log: Sendable {
  private let lines = Lock<[String]>([])
  /// A gate that opens when the log has a line.
  package let hasLine = Gate()

  package init() {}

  package func add(_ line: String) {
    lines.withLock { $0.append(line) }
    hasLine.open()
  }

  package var all: [String] { lines.withLock { $0 } }
}

import AppBootLibC
import Synchronization

/// The process that a user started: this one, or a process above it that keeps it.
package enum StartedProcess {
  private static let above = Atomic<Int32>(0)

  /// The identifier of the process.
  package static var identifier: Int32 {
    let process = above.load(ordering: .relaxed)
    return process == 0 ? getpid() : process
  }

  /// Sets a process above this one. Only the first call counts: the outermost process is the one that was started.
  package static func set(_ process: Int32) {
    _ = above.compareExchange(expected: 0, desired: process, ordering: .relaxed)
  }
}

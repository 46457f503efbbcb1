import AppBootSystem

/// The namespaces of Linux that this process may create. A test that needs one is skipped where it is not permitted.
enum Namespace {
  /// True if a process may become the first process of a namespace.
  static let hasProcesses = succeeds("unshare", "--pid", "--fork", "--mount-proc", "true")

  /// True if a process may hide /proc from itself.
  static let hidesProc = succeeds("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/proc")

  private static func succeeds(_ command: String...) -> Bool {
    (try? ProcessRequest(command).start())?.wait() == .exited(0)
  }
}

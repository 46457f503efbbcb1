#if os(Linux)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A process that is listed in `/proc` (proc(5)).
struct ProcessEntry: Equatable {
  let process: Int32
  let parent: Int32
  /// The letter of the process's state, for example `T` for stopped.
  let state: UInt8

  init(process: Int32, parent: Int32, state: UInt8) {
    self.process = process
    self.parent = parent
    self.state = state
  }

  /// Parses the content of a file `/proc/PID/stat`, `42 (name) S 1 …`; returns `nil` if it is cut off.
  ///
  /// The name of the process can contain spaces and parentheses.
  init?(process: Int32, stat: UnsafeRawBufferPointer) {
    guard let name = stat.lastIndex(of: UInt8(ascii: ")")), name + 4 < stat.count else { return nil }
    var parent: Int32 = 0
    for byte in stat[(name + 4)...] {
      guard (0x30...0x39).contains(byte) else { break }
      parent = parent &* 10 &+ Int32(byte - 0x30)
    }
    self.init(process: process, parent: parent, state: stat[name + 2])
  }

  /// True if the process runs no code of its own before it is resumed: it is stopped, traced, ended, or in the kernel.
  var isSettled: Bool { "TtZXD".utf8.contains(state) }

  /// Returns all processes that this process can see.
  static func all() -> [ProcessEntry] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var entries: [ProcessEntry] = []
    while let file = readdir(folder) {
      guard let process = number(&file.pointee.d_name) else { continue }
      // A process that has ended since has no file.
      if let entry = read(process, in: dirfd(folder)) { entries.append(entry) }
    }
    return entries
  }

  private static func read(_ process: Int32, in folder: Int32) -> ProcessEntry? {
    let file = openat(folder, "\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { Descriptor.close(file) }
    // The name has at most 64 bytes, and the parent follows it.
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = retryingInterrupts { systemRead(file, buffer.baseAddress, buffer.count) }
      guard count > 0 else { return nil }
      return ProcessEntry(process: process, stat: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func number<Name>(_ name: inout Name) -> Int32? {
    withUnsafeBytes(of: &name) { bytes in
      var number: Int32 = 0
      for byte in bytes {
        if byte == 0 { return number }
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number &* 10 &+ Int32(byte - 0x30)
      }
      return nil
    }
  }
}

/// Calls read(2). The separate name is needed because `ProcessEntry.read` hides the function.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}

/// A namespace for functions about the descendants of this process, which must be a subreaper.
enum Descendants {
  /// The maximum duration of ``end()`` in nanoseconds. A process in an uninterruptible sleep can take longer.
  static let limit: Int64 = 5_000_000_000
  /// The nanoseconds within which processes must stop. Afterwards they are killed in any state.
  private static let patience: Int64 = 200_000_000

  /// Kills all descendants.
  ///
  /// It stops them until no new descendant appears, kills them, and reaps children until there is no child. A stopped
  /// process cannot fork, so a process that forks without end cannot escape. Each descendant has an ancestor among the
  /// children. Therefore no descendant remains when there is no child (`ECHILD`).
  ///
  /// A process of another user, for example one that sudo started, cannot be killed.
  static func end() {
    let start = MonotonicClock.now()
    var stopped: Set<Int32> = []
    while reap(), MonotonicClock.now() - start < limit {
      let living = of(getpid(), in: ProcessEntry.all())
      let fresh = living.filter { !stopped.contains($0.process) }
      for entry in fresh {
        kill(entry.process, SIGSTOP)
        stopped.insert(entry.process)
      }
      if !fresh.isEmpty { continue }
      let isImpatient = MonotonicClock.now() - start > patience
      if isImpatient || living.allSatisfy(\.isSettled) {
        // Also those that seem to have ended: the first thread of a process can end before the others.
        let isAllowed = living.reduce(false) { kill($1.process, SIGKILL) == 0 || errno != EPERM || $0 }
        if !isAllowed, !living.isEmpty { return }
      }
      usleep(200)
    }
  }

  /// Returns those entries that are descendants of a process.
  ///
  /// - Parameter root: The identifier of the process.
  static func of(_ root: Int32, in entries: [ProcessEntry]) -> [ProcessEntry] {
    var family: Set<Int32> = [root]
    var found: [ProcessEntry] = []
    var rest = entries
    while true {
      let count = found.count
      rest.removeAll { entry in
        guard entry.process != root, family.contains(entry.parent) else { return false }
        family.insert(entry.process)
        found.append(entry)
        return true
      }
      if found.count == count { return found }
    }
  }

  /// Reaps the children that have ended. Returns false if there is no child left.
  private static func reap() -> Bool {
    while true {
      let child = waitpid(-1, nil, WNOHANG)
      if child == 0 { return true }
      if child < 0, errno != EINTR { return false }
    }
  }
}

#endif

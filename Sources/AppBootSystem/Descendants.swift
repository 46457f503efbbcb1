#if os(Linux)

import AppBootLibC

/// A process that is listed in `/proc` (proc(5)).
struct ProcessEntry: Equatable {
  let process: Int32
  let parent: Int32
  /// The letter of the process's state, for example `T` for stopped.
  let state: UInt8
  /// The start of the process in ticks since the system's start. With ``process`` it identifies a process for good.
  var start: UInt64 = 0
}

extension ProcessEntry {
  /// Parses the content of a file `/proc/PID/stat`, `42 (name) S 1 …`; returns `nil` if it is cut off.
  ///
  /// The name of the process can contain spaces and parentheses.
  init?(process: Int32, stat: [UInt8]) {
    guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    // After the name, which is field 2: the state is field 3, the parent field 4, and the start field 22 (proc(5)).
    let fields = stat[name...].split(separator: UInt8(ascii: " "), maxSplits: 21)
    guard fields.count > 2, let state = fields[1].first,
      let parent = Int32(String(decoding: fields[2], as: UTF8.self))
    else { return nil }
    let start = fields.count > 20 ? UInt64(String(decoding: fields[20], as: UTF8.self)) : nil
    self.init(process: process, parent: parent, state: state, start: start ?? 0)
  }

  /// A process whose number may be used again.
  struct Identity: Hashable {
    let process: Int32
    let start: UInt64
  }

  var identity: Identity { Identity(process: process, start: start) }

  /// True if the process runs no code of its own before it is resumed: it is stopped, traced, ended, or in the kernel.
  var isSettled: Bool { "TtZXD".utf8.contains(state) }

  /// True if the process has ended, and its parent has not reaped it.
  var hasEnded: Bool { "ZX".utf8.contains(state) }

  /// Returns all processes that this process can see.
  ///
  /// - Parameter visit: A function that receives each process at once, because it may end soon. The newest orphans
  ///   are first: the end of a long list comes too late for one that ends within a millisecond.
  static func all(_ visit: ((ProcessEntry) -> Void)? = nil) -> [ProcessEntry] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    if let visit {
      for orphan in orphans().reversed() { of(orphan).map(visit) }
    }
    var entries: [ProcessEntry] = []
    while let file = readdir(folder) {
      // A process that has ended since has no file.
      guard let process = Int32(FileSystem.name(of: file)), let entry = of(process) else { continue }
      visit?(entry)
      entries.append(entry)
    }
    return entries
  }

  /// Returns a process; `nil` if there is none with this identifier.
  static func of(_ process: Int32) -> ProcessEntry? {
    // The name has at most 64 bytes, and the 18 numbers before the start at most 20 each.
    let stat = try? FileSystem.readStart(of: "/proc/\(process)/stat", limit: 512)
    return stat.flatMap { ProcessEntry(process: process, stat: $0) }
  }

  /// Returns the children of this process's first thread, without those that have ended.
  static func children() -> [ProcessEntry] { orphans().compactMap(of) }

  /// Returns the children of this process's first thread, the newest last. The system makes orphans its children.
  ///
  /// Returns an empty list if the kernel does not list children (`CONFIG_PROC_CHILDREN`).
  private static func orphans() -> [Int32] {
    let path = "/proc/self/task/\(getpid())/children"
    guard let bytes = try? FileSystem.readFile(path, limit: 1 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
  }
}

/// A namespace for functions about the descendants of processes.
enum Descendants {
  /// The maximum duration of ``end()`` in nanoseconds. A process in an uninterruptible sleep can take longer.
  static let limit: Int64 = 5_000_000_000
  /// The nanoseconds within which processes must stop. Afterwards they are killed in any state.
  private static let patience: Int64 = 200_000_000

  /// Kills all descendants of this process, which must be a subreaper.
  ///
  /// Each descendant has an ancestor among the children. Therefore no descendant remains when there is no child
  /// (`ECHILD`).
  ///
  /// - Parameter spared: The children that continue to run, with their descendants.
  static func end(sparing spared: Set<ProcessEntry.Identity>) {
    let itself = getpid()
    var emptyLists = 0
    kill(
      until: { !reap() || !spared.isEmpty && emptyLists > 1 },
      visit: { entry in
        guard entry.parent == itself, !entry.isSettled, !spared.contains(entry.identity) else { return }
        Signals.send(SIGSTOP, to: entry.process)
      }
    ) { entries in
      let found = of([itself], in: entries.filter { !spared.contains($0.identity) })
      emptyLists = found.isEmpty ? emptyLists + 1 : 0
      return found
    }
  }

  /// Kills processes, and those that they start meanwhile.
  ///
  /// It stops them until no new one appears, and then kills them. A stopped process cannot fork, so a process that
  /// forks without end cannot escape. A process of another user, for example one that sudo started, cannot be killed.
  ///
  /// - Parameters:
  ///   - isOver: A function that returns whether all have ended.
  ///   - visit: A function that receives each process of a list at once.
  ///   - select: A function that returns those entries of a list that must end.
  static func kill(
    until isOver: () -> Bool, visit: ((ProcessEntry) -> Void)? = nil,
    _ select: ([ProcessEntry]) -> [ProcessEntry]
  ) {
    let start = MonotonicClock.now()
    var stopped: Set<ProcessEntry.Identity> = []
    while !isOver(), MonotonicClock.now() - start < limit {
      let found = select(ProcessEntry.all(visit))
      let fresh = found.filter { !stopped.contains($0.identity) }
      for entry in fresh {
        // One that seems to have ended may live on: the first thread of a process can end before the others.
        Signals.send(entry.hasEnded ? SIGKILL : SIGSTOP, to: entry.process)
        stopped.insert(entry.identity)
      }
      if !fresh.isEmpty { continue }
      let isImpatient = MonotonicClock.now() - start > patience
      if isImpatient || found.allSatisfy(\.isSettled) {
        let living = found.filter { !$0.hasEnded }
        let isAllowed = living.reduce(false) { Signals.send(SIGKILL, to: $1.process) || errno != EPERM || $0 }
        if !isAllowed, !living.isEmpty { return }
      }
      usleep(200)
    }
  }

  /// Returns those entries that are descendants of a process.
  ///
  /// - Parameter root: The identifier of the process.
  static func of(_ root: Int32, in entries: [ProcessEntry]) -> [ProcessEntry] { of([root], in: entries) }

  /// Returns those entries that are descendants of processes, without these.
  static func of(_ roots: Set<Int32>, in entries: [ProcessEntry]) -> [ProcessEntry] {
    var family = roots
    var found: [ProcessEntry] = []
    var rest = entries.filter { !roots.contains($0.process) }
    while true {
      let count = found.count
      rest.removeAll { entry in
        guard family.contains(entry.parent) else { return false }
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

import AppBootLibC

#if os(Linux)

import AppBootLibC

/// A process that is listed in `/proc` (proc(5)).
struct ProcessEntry: Equatable {
  let process: Int32
  let parent: Int32
  /// The identifier of the process group.
  var group: Int32 = 0
  /// The letter of the process's state, for example `T` for stopped.
  let state: UInt8
  /// The number of threads of the process. It is 1 after its end, until it is reaped.
  var threads = 1
  /// The start of the process in ticks since the system's start. With ``process`` it identifies a process for good.
  var start: UInt64 = 0
}

extension ProcessEntry {
  /// Parses the content of a file `/proc/PID/stat`, `42 (name) S 1 …`; returns `nil` if it is cut off.
  ///
  /// The name of the process can contain spaces and parentheses.
  init?(process: Int32, stat: [UInt8]) {
    guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    // After the name, which is field 2: the state is field 3, the parent field 4, the group field 5, the number of
    // threads field 20, and the start field 22 (proc(5)).
    let fields = stat[name...].split(separator: UInt8(ascii: " "), maxSplits: 21)
    guard fields.count > 3, let state = fields[1].first,
      let parent = Int32(String(decoding: fields[2], as: UTF8.self)),
      let group = Int32(String(decoding: fields[3], as: UTF8.self))
    else { return nil }
    self.init(process: process, parent: parent, group: group, state: state)
    guard fields.count > 20 else { return }
    threads = Int(String(decoding: fields[18], as: UTF8.self)) ?? 1
    start = UInt64(String(decoding: fields[20], as: UTF8.self)) ?? 0
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

  /// True if the process can have children: it runs, or its first thread has ended before the others.
  private var mayHaveChildren: Bool { !hasEnded || threads > 1 }

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

  /// Returns the children of this process's first thread, which adopts orphans, with those that have ended.
  static func children() -> [ProcessEntry] { orphans().compactMap(of) }

  /// Returns the children of all threads of this process, with those that have ended.
  static func allChildren() -> [ProcessEntry] {
    listsChildren ? children(of: getpid()).compactMap(of) : all().filter { $0.parent == getpid() }
  }

  /// Returns the processes among which the family of a child is found: its descendants, the orphans that this process
  /// has adopted, and the descendants of the orphans.
  ///
  /// Their number does not depend on other processes of the machine. If this process adopts no orphans, or if the
  /// kernel does not list children, returns all processes.
  ///
  /// - Parameter visit: A function that receives each process at once, as in ``all(_:)``.
  static func relatives(of child: Int32, _ visit: ((ProcessEntry) -> Void)? = nil) -> [ProcessEntry] {
    guard Subreaper.isActive, listsChildren else { return all(visit) }
    return descendants(besides: OwnChildren.all.subtracting([child]), visit)
  }

  /// Returns the descendants of this process. If the kernel does not list children, returns all processes.
  static func descendants(_ visit: ((ProcessEntry) -> Void)? = nil) -> [ProcessEntry] {
    listsChildren ? descendants(besides: [], visit) : all(visit)
  }

  /// Returns the descendants of this process, without some of its children and their descendants.
  private static func descendants(
    besides spared: Set<Int32>, _ visit: ((ProcessEntry) -> Void)?
  ) -> [ProcessEntry] {
    var (seen, entries) = (spared, [ProcessEntry]())
    func add(_ processes: [Int32]) {
      for process in processes where seen.insert(process).inserted {
        // A process that has ended since has no file.
        guard let entry = of(process) else { continue }
        visit?(entry)
        entries.append(entry)
      }
    }
    var next = 0
    // A process whose parent ended meanwhile was no orphan at first, and is no child of that parent any more.
    for _ in 0..<2 {
      add(orphans().reversed() + children(of: getpid()))
      while next < entries.count {
        if entries[next].mayHaveChildren { add(children(of: entries[next].process)) }
        next += 1
      }
    }
    return entries
  }

  /// True if the kernel lists the children of a process (`CONFIG_PROC_CHILDREN`).
  private static let listsChildren = access("/proc/self/task/\(getpid())/children", R_OK) == 0

  /// Returns the children of all threads of a process.
  private static func children(of process: Int32) -> [Int32] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var children: [Int32] = []
    while let file = readdir(folder) {
      guard let thread = Int32(FileSystem.name(of: file)) else { continue }
      children += Self.children(in: "/proc/\(process)/task/\(thread)/children")
    }
    return children
  }

  /// Returns the children of this process's first thread, the newest last. The system makes orphans its children.
  ///
  /// Returns an empty list if the kernel does not list children.
  private static func orphans() -> [Int32] { children(in: "/proc/self/task/\(getpid())/children") }

  private static func children(in path: String) -> [Int32] {
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

  /// Asks all descendants of this process, which must be a subreaper, to end (TERM), and kills those that still run
  /// after their grace period.
  ///
  /// Each descendant has an ancestor among the children. Therefore no descendant remains when there is no child
  /// (`ECHILD`).
  ///
  /// - Parameters:
  ///   - spared: The children that continue to run, with their descendants.
  ///   - grace: The grace period in nanoseconds; 0 to kill them at once.
  static func end(sparing spared: Set<ProcessEntry.Identity>, grace: Int64) {
    let itself = getpid()
    if grace > 0 {
      // The watcher ignores TERM, and has nothing to end.
      let watcher = GroupWatcher.process
      askToStop(within: grace, until: { !reap() }) {
        of(
          [itself],
          in: ProcessEntry.descendants().filter { !spared.contains($0.identity) && $0.process != watcher })
      }
    }
    var emptyLists = 0
    kill(
      until: { !reap() || !spared.isEmpty && emptyLists > 1 },
      list: { ProcessEntry.descendants($0) },
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

  /// Sends TERM to processes, and waits until all have ended or their grace period is over.
  ///
  /// - Parameters:
  ///   - grace: The grace period in nanoseconds.
  ///   - isOver: A function that returns whether no process is left, without a list.
  ///   - list: A function that returns the processes.
  static func askToStop(within grace: Int64, until isOver: () -> Bool, _ list: () -> [ProcessEntry]) {
    let deadline = MonotonicClock.deadline(after: grace)
    var asked: Set<ProcessEntry.Identity> = []
    var pause: UInt32 = 1000
    while !isOver() {
      let living = list().filter { !$0.hasEnded }
      if living.isEmpty || MonotonicClock.now() >= deadline { return }
      for entry in living where asked.insert(entry.identity).inserted {
        Signals.send(SIGTERM, to: entry.process)
        Signals.send(SIGCONT, to: entry.process)
      }
      usleep(pause)
      pause = min(2 * pause, 50_000)
    }
  }

  /// Kills processes, and those that they start meanwhile.
  ///
  /// It stops them until no new one appears, and then kills them. A stopped process cannot fork, so a process that
  /// forks without end cannot escape. A process of another user, for example one that sudo started, cannot be killed.
  ///
  /// - Parameters:
  ///   - isOver: A function that returns whether all have ended.
  ///   - limit: The maximum duration in nanoseconds.
  ///   - list: A function that returns the processes, and passes each at once to the function that it receives.
  ///   - visit: A function that receives each process of a list at once.
  ///   - select: A function that returns those entries of a list that must end.
  static func kill(
    until isOver: () -> Bool, within limit: Int64 = limit,
    list: (((ProcessEntry) -> Void)?) -> [ProcessEntry] = { ProcessEntry.all($0) },
    visit: ((ProcessEntry) -> Void)? = nil,
    _ select: ([ProcessEntry]) -> [ProcessEntry]
  ) {
    let start = MonotonicClock.now()
    var stopped: Set<ProcessEntry.Identity> = []
    while !isOver(), MonotonicClock.now() - start < limit {
      let found = select(list(visit))
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

/// The children for which a ``Subprocess`` waits.
enum OwnChildren {
  private struct State {
    var known: Set<Int32> = []
    /// The number of processes that are being started now.
    var starts = 0
  }

  private static let state = Lock(State())

  /// Starts a process, and inserts it if the result is 0. Returns the result.
  ///
  /// Meanwhile the process may be an unknown child (``OwnProcesses``). A start may never return.
  static func insert(_ process: inout Int32, starting start: (inout Int32) -> Int32) -> Int32 {
    state.withLock { $0.starts += 1 }
    let code = start(&process)
    state.withLock { state in
      if code == 0 { state.known.insert(process) }
      state.starts -= 1
    }
    return code
  }

  static func remove(_ process: Int32) { remove(process) {} }

  /// Removes a process, and reaps it in the same moment: the system may give its number to the next own child.
  static func remove<Result>(_ process: Int32, reaping reap: () -> Result) -> Result {
    state.withLock { state in
      state.known.remove(process)
      return reap()
    }
  }

  static func contains(_ process: Int32) -> Bool { all.contains(process) }

  static var all: Set<Int32> { state.withLock(\.known) }

  /// True while a process is being started.
  static var isStarting: Bool { state.withLock(\.starts) > 0 }
}

/// The own children at one time, for a list of all processes that was read before.
struct OwnProcesses {
  /// True if a process is being started, which ``known`` may miss.
  let isStarting: Bool
  let known: Set<Int32>

  init() {
    isStarting = OwnChildren.isStarting
    known = OwnChildren.all
  }

  /// Returns whether a process with a parent may be an own child.
  func mayContain(_ process: Int32, childOf parent: Int32) -> Bool {
    known.contains(process) || (isStarting && parent == getpid())
  }
}

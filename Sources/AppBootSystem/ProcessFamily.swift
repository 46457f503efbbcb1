import AppBootLibC

/// The processes that one process has started, also those that left its process group or its session.
///
/// Before the process ends, they are its descendants. Afterwards a descendant has lost that parent, and is known by
/// its group or by variables of its environment. On Darwin it has no members.
package struct ProcessFamily: Sendable {
  private let root: Int32
  private let marks: ProcessMarks
  #if os(Linux)
  /// The members that were found. One whose parent has ended since is still known.
  private var known: Set<ProcessEntry.Identity> = []
  /// The search of ``members()``.
  private var search = FamilySearch()
  #endif

  /// Creates the family of a process.
  ///
  /// - Parameters:
  ///   - root: The identifier of the process. It must not be reaped while the family is in use.
  ///   - marks: The variables that all of its descendants inherit, and no other process.
  package init(of root: Int32, marks: [String: String]) {
    self.root = root
    self.marks = ProcessMarks(marks)
  }

  #if os(Linux)

  /// Remembers the present descendants, and returns them. Call it before the process ends.
  mutating func look() -> [ProcessEntry] {
    let entries = Descendants.of(root, in: ProcessEntry.relatives(of: root))
    known.formUnion(entries.map(\.identity))
    return entries
  }

  /// The members besides the root, at one time.
  enum Members: Equatable {
    /// No member runs.
    case none
    /// These members run.
    case running([ProcessEntry])
    /// No member was found, but one may have been missed.
    case unknown
  }

  /// Returns the members that run. Call it after the root has ended, until the answer is not ``Members/unknown``.
  mutating func members() -> Members {
    var search = search
    let living = select(from: ProcessEntry.relatives(of: root), &search).filter { !$0.hasEnded }
    self.search = search
    if !living.isEmpty { return .running(living) }
    return search.isOver ? .none : .unknown
  }

  /// Kills the processes of the family, except the root, and waits until they have ended.
  mutating func end() {
    var search = FamilySearch()
    var family = self
    Descendants.kill(
      until: { search.isOver }, list: { ProcessEntry.relatives(of: root, $0) }, visit: { search.hold($0) }
    ) { entries in
      family.select(from: entries, &search)
    }
    self = family
  }

  /// Returns the members among processes.
  private mutating func select(from entries: [ProcessEntry], _ search: inout FamilySearch) -> [ProcessEntry] {
    let own = OwnProcesses()
    let others = Descendants.trees(of: own.known.subtracting([root]), in: entries)
    let visible = Subreaper.isActive ? Descendants.of(getpid(), in: entries) : entries
    let candidates = visible.filter {
      $0.process != root && !others.contains($0.process)
        && !own.mayContain($0.process, childOf: $0.parent)
    }
    // An earlier attempt of the same step may have left processes with the same variables.
    let start = entries.first { $0.process == root }?.start ?? 0
    for entry in candidates where !search.strangers.contains(entry.identity) {
      // The group exists until the root is reaped, so its identifier is not used for another one.
      let isMember = entry.group == root || known.contains(entry.identity)
      let carries = isMember ? true : entry.start < start ? false : marks.lookUp(entry)
      if carries == true { known.insert(entry.identity) }
      // One whose environment cannot be read may still be a member: it starts a program, or has ended.
      if carries == false { search.release(entry) }
    }
    let living = Set(entries.filter { known.contains($0.identity) }.map(\.process))
    known.formUnion(Descendants.of(living.union([root]), in: entries).map(\.identity))
    let found = entries.filter { $0.process != root && known.contains($0.identity) }
    search.add(candidates, found: found, mayMiss: own.isStarting)
    search.resume(allBut: found, in: entries)
    return found
  }

  #endif

  /// Returns a process of the family that still runs after the root has ended, for messages; `nil` if there is none.
  ///
  /// It is known by its environment. A program such as Redis overwrites that: then it is an orphan of this launch that
  /// was started later than the root, and has the same name.
  package func survivor() -> String? {
    #if os(Linux)
    // One that is about to run another program is looked at again: it has no environment then.
    for _ in 0..<Self.looks {
      let all = ProcessEntry.relatives(of: root)
      let own = OwnProcesses()
      let others = all.filter { $0.process != root && !own.mayContain($0.process, childOf: $0.parent) }
      let start = all.first { $0.process == root }?.start ?? .max
      if let found = others.first(where: { marks.areCarried(by: $0) || isNamesake($0, since: start) }) {
        return PortHolder.name(of: found.process)
      }
      guard others.contains(where: { !$0.hasEnded && marks.lookUp($0) == nil }) else { return nil }
    }
    return nil
    #else
    return nil
    #endif
  }

  #if os(Linux)
  /// The number of looks for a survivor.
  private static let looks = 10

  private func isNamesake(_ entry: ProcessEntry, since start: UInt64) -> Bool {
    guard Subreaper.isActive, entry.parent == getpid(), !entry.hasEnded, entry.start >= start,
      let name = PortHolder.command(of: entry.process)
    else { return false }
    return name == PortHolder.command(of: root)
  }
  #endif

  /// Returns the process that listens on a TCP port of this machine.
  package func holder(ofPort port: UInt16) -> PortHolder {
    #if os(Linux)
    let sockets = ListeningSockets(port: port).names
    // The root process is the usual listener.
    if PortHolder.has(root, sockets) { return .family }
    guard !sockets.isEmpty else { return .unknown }
    let entries = ProcessEntry.all()
    var family = Set(entries.lazy.filter { marks.areCarried(by: $0) }.map(\.process)).union([root])
    family.formUnion(Descendants.of(family, in: entries).map(\.process))
    return PortHolder(of: sockets, family: family, in: entries)
    #else
    return .unknown
    #endif
  }

  /// Asks everything that a launch has started to end (TERM), and kills what still runs after its grace period. Call it
  /// at the end of an app that stays.
  ///
  /// If this process adopts no orphans, a process that has neither its parents nor its environment any more is not
  /// found.
  ///
  /// - Parameters:
  ///   - marks: The variables that all processes of the launch inherit.
  ///   - grace: The grace period in nanoseconds.
  package static func endAll(marks: [String: String], grace: Int64) {
    #if os(Linux)
    if Subreaper.isActive { return Subreaper.endAll(grace: grace) }
    let marks = ProcessMarks(marks)
    Descendants.askToStop(within: grace, until: { false }) {
      ProcessEntry.all().filter { marks.areCarried(by: $0) }
    }
    var search = FamilySearch()
    Descendants.kill(until: { search.isOver }) { entries in
      let found = entries.filter { marks.areCarried(by: $0) }
      search.add(entries, found: found, mayMiss: false)
      return found
    }
    #endif
  }
}

#if os(Linux)

/// Decides whether the lists of processes show that a family has ended.
///
/// A process that ends soon after it has started another one can be missed: it ends before its environment is read, and
/// the list does not have the new one yet. Therefore no candidate may have ended between the last two lists.
private struct FamilySearch {
  /// The number of lists without a member after which the search ends, even if other processes end all the time.
  private static let most = 50
  private(set) var isOver = false
  /// The processes that do not belong to the family.
  private(set) var strangers: Set<ProcessEntry.Identity> = []
  /// The processes of the first list; `nil` before it.
  private var first: Set<ProcessEntry.Identity>?
  private var held: Set<ProcessEntry.Identity> = []
  private var emptyLists = 0
  private var living: Set<ProcessEntry.Identity> = []
  private var ended: Set<ProcessEntry.Identity> = []

  /// Stops an orphan that appeared during the search. A chain of processes that end at once would escape otherwise:
  /// each has ended before its environment is read.
  mutating func hold(_ entry: ProcessEntry) {
    guard Subreaper.isActive, let first, entry.parent == getpid(), !entry.isSettled,
      !first.contains(entry.identity),
      !strangers.contains(entry.identity), !OwnChildren.contains(entry.process)
    else { return }
    Signals.send(SIGSTOP, to: entry.process)
    held.insert(entry.identity)
  }

  /// Resumes the processes that are held and do not belong to the members that were found.
  mutating func resume(allBut found: [ProcessEntry], in entries: [ProcessEntry]) {
    let members = Set(found.map(\.identity))
    for entry in entries where held.contains(entry.identity) && !members.contains(entry.identity) {
      release(entry)
    }
  }

  /// Resumes a process that does not belong to the family.
  mutating func release(_ entry: ProcessEntry) {
    strangers.insert(entry.identity)
    if held.remove(entry.identity) != nil { Signals.send(SIGCONT, to: entry.process) }
  }

  /// - Parameter mayMiss: True if a process of the family may be missing in the list.
  mutating func add(_ entries: [ProcessEntry], found: [ProcessEntry], mayMiss: Bool) {
    first = first ?? Set(entries.lazy.filter { !$0.hasEnded }.map(\.identity))
    // Processes of other families can start and end all the time.
    let entries = entries.filter { !strangers.contains($0.identity) }
    let living = Set(entries.lazy.filter { !$0.hasEnded }.map(\.identity))
    let ended = Set(entries.lazy.filter(\.hasEnded).map(\.identity))
    let isUnchanged = self.living.isSubset(of: living) && ended.isSubset(of: self.ended)
    emptyLists = found.allSatisfy(\.hasEnded) ? emptyLists + 1 : 0
    // Without a subreaper the list has all processes of the machine, which change all the time.
    let isStable = isUnchanged || !Subreaper.isActive
    isOver = emptyLists > 1 && isStable && !mayMiss || emptyLists >= Self.most
    (self.living, self.ended) = (living, ended)
  }
}

extension Descendants {
  /// Returns the identifiers of processes and of their descendants.
  fileprivate static func trees(of roots: Set<Int32>, in entries: [ProcessEntry]) -> Set<Int32> {
    roots.union(of(roots, in: entries).map(\.process))
  }
}

#endif

/// The variables by which a process belongs to a family.
private struct ProcessMarks {
  /// The bytes of an environment that are read. The variables of a launch are the first ones.
  private static let limit = 1 << 16
  /// The variables, each as the bytes of `NAME=value`; empty for no member.
  private let variables: [[UInt8]]

  init(_ variables: [String: String]) {
    self.variables = variables.map { Array("\($0.key)=\($0.value)".utf8) }
  }

  #if os(Linux)
  /// Returns whether the environment with which a process was started has all variables.
  func areCarried(by entry: ProcessEntry) -> Bool { lookUp(entry) == true }

  /// Returns whether the environment of a process has all variables; `nil` if it cannot be read or is empty, as at the
  /// start of a program.
  func lookUp(_ entry: ProcessEntry) -> Bool? {
    if variables.isEmpty || entry.process == getpid() { return false }
    if entry.hasEnded { return nil }
    // It fails for a process of another user.
    let path = "/proc/\(entry.process)/environ"
    guard let bytes = try? FileSystem.readStart(of: path, limit: Self.limit), !bytes.isEmpty else {
      return nil
    }
    let present = bytes.split(separator: 0)
    return variables.allSatisfy { variable in present.contains { $0.elementsEqual(variable) } }
  }
  #endif
}

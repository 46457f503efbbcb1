import AppBootSystem

extension PlanAssembly {
  /// The graph; `nil` where ids are doubled or unknown, or where the entries wait for each other.
  ///
  /// References that are wrong are left out of the graph, so that cycles beside them are still found. One to a
  /// doubled id counts as one to the first entry that has it, and a cycle through that says so.
  mutating func resolve(_ entries: [ManifestEntry]) -> DependencyGraph? {
    let before = problems.count
    let indices = indices(of: entries)
    if entries.allSatisfy(\.isAfterAbove) {
      return problems.count == before ? DependencyGraph(sequenceOf: entries.count) : nil
    }
    let graph = graph(of: entries, indices)
    let cycles = graph.shortestCycles(atMost: Self.cycleLimit + 1)
    for cycle in cycles.prefix(Self.cycleLimit) { reportCycle(cycle, entries, indices) }
    if cycles.count > Self.cycleLimit {
      problems.append(
        .error(
          "more entries than these wait for each other or for themselves, this one too",
          at: entries[cycles[Self.cycleLimit][0]].idRange,
          help: "\(Self.cycleLimit) cycles are told at a time: correct those first"))
    }
    return problems.count == before ? graph : nil
  }

  /// The entries by id; doubled ids are reported.
  private mutating func indices(of entries: [ManifestEntry]) -> EntryTable {
    var table = EntryTable(of: entries)
    for index in entries.indices where !entries[index].id.isEmpty {
      guard let first = table.insert(index) else { continue }
      let entry = entries[index]
      problems.append(
        Diagnostic.error(
          "two entries have the id \"\(entry.id.excerpt)\"", at: entry.idRange,
          help: "give one of them an \"id\" of its own"
        ).noting("the first one", at: entries[first].idRange))
    }
    return table
  }

  private mutating func graph(of entries: [ManifestEntry], _ indices: EntryTable) -> DependencyGraph {
    var offsets: [Int32] = [0]
    var edges: [Int32] = []
    offsets.reserveCapacity(entries.count + 1)
    edges.reserveCapacity(entries.count)
    var names: NameSuggestions?
    for index in entries.indices {
      switch entries[index].order {
      case .above: if index > 0 { edges.append(Int32(index - 1)) }
      case .nothing: break
      case .listed(let list):
        list.forEachElement { element in
          guard element.kind == .string else { return }
          guard let target = indices.index(of: element) else {
            let id = element.string ?? ""
            return reportUnknown(ManifestEntry.Reference(id: id, range: element.range), entries, &names)
          }
          edges.append(Int32(target))
        }
      }
      offsets.append(Int32(edges.count))
    }
    return DependencyGraph(offsets: offsets, edges: edges)
  }

  private mutating func reportUnknown(
    _ reference: ManifestEntry.Reference, _ entries: [ManifestEntry], _ names: inout NameSuggestions?
  ) {
    var suggestions =
      names ?? NameSuggestions(among: entries.map(\.id).filter { !$0.isEmpty }, called: "ids here")
    let help = suggestions.help(for: reference.id)
    names = suggestions
    problems.append(
      .error("no entry has the id \"\(reference.id.excerpt)\"", at: reference.range, help: help))
  }

  /// To look for a cycle takes time linear in the entries.
  private static let cycleLimit = 16

  /// A cycle of 100,000 is shown whole; that many explanations would help nobody.
  private static let noteLimit = 16

  private mutating func reportCycle(_ cycle: [Int], _ entries: [ManifestEntry], _ indices: EntryTable) {
    let ids = cycle.map { entries[$0].id.isEmpty ? "(no name)" : entries[$0].id }
    let path = (ids + ids.prefix(1)).joined(separator: " → ")
    let first = entries[cycle[0]]
    if cycle.count == 1, !first.isAfterAbove {
      problems.append(
        .error(
          "this entry waits for itself: \(path)", at: first.idRange,
          help: "take its own id out of its \"after\""))
      return
    }
    var problem = Diagnostic.error(
      "these entries wait for each other: \(path)", at: first.idRange,
      help: "each comes after the next; take one id out of an \"after\"")
    for index in cycle.lazy.filter({ entries[$0].isAfterAbove }).prefix(Self.noteLimit) {
      problem = problem.noting(
        "\"\(entries[index].id)\" has no \"after\", so it comes after the entry above it",
        at: entries[index].idRange)
    }
    for index in cycle.lazy.filter(indices.isDoubled).prefix(Self.noteLimit) {
      problem = problem.noting(
        "of the entries with the id \"\(entries[index].id.excerpt)\" this one is taken to be meant",
        at: entries[index].idRange)
    }
    problems.append(problem)
  }
}

extension ManifestEntry {
  fileprivate var isAfterAbove: Bool {
    if case .above = order { true } else { false }
  }
}

/// The entries' indices by id: a hash table with open addressing.
///
/// Ids are compared as `String` compares them. Where all are ASCII, as most are, their bytes say the same. Numbered ones
/// (`step-41`, `step-42`) stand next to each other: an id often refers to another with a number near its own, and in a table of a
/// million that place is then in the processor's cache.
private struct EntryTable {
  private let entries: [ManifestEntry]
  private let comparesBytes: Bool
  private var slots: [Slot]
  private let mask: Int
  /// Which entries' ids others have as well; empty where none has.
  private var doubled: [Bool] = []
  private let seed = UInt64(truncatingIfNeeded: "".hashValue)

  /// An entry, -1 where there is none, and enough of its id's hash that hardly any other entry has to be looked at.
  private struct Slot {
    var entry: Int32 = -1
    var tag: UInt32 = 0
  }

  /// Where to begin to look for an id, and by what to know its slot.
  private struct Key {
    let home: Int
    let tag: UInt32
  }

  init(of entries: [ManifestEntry]) {
    self.entries = entries
    comparesBytes = entries.indices.allSatisfy { entries[$0].id.utf8.allSatisfy { $0 < 0x80 } }
    var size = 8
    while size < entries.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    mask = size - 1
  }

  /// Adds an entry; the index of the one that has its id already, which then counts as doubled.
  mutating func insert(_ index: Int) -> Int? {
    let id = entries[index].id
    let (slot, tag) = comparesBytes ? id.withBytes { place(of: $0) } : place(of: id)
    let first = Int(slots[slot].entry)
    if first >= 0 {
      if doubled.isEmpty { doubled = [Bool](repeating: false, count: entries.count) }
      doubled[first] = true
      return first
    }
    slots[slot] = Slot(entry: Int32(index), tag: tag)
    return nil
  }

  /// The entry whose id is this string.
  func index(of string: JSONValue) -> Int? {
    let index = string.withUTF8 { id -> Int32? in
      comparesBytes && id.allSatisfy { $0 < 0x80 } ? slots[place(of: id).slot].entry : nil
    }
    if let index { return index < 0 ? nil : Int(index) }
    guard let id = string.string else { return nil }
    // Beyond ASCII, some characters equal one of ASCII: U+212A is a K.
    if comparesBytes { return entries.firstIndex { $0.id == id } }
    let found = slots[place(of: id).slot].entry
    return found < 0 ? nil : Int(found)
  }

  func isDoubled(_ index: Int) -> Bool { !doubled.isEmpty && doubled[index] }

  /// The slot that holds the id, or the free one where it would stand.
  private func place(of id: String) -> (slot: Int, tag: UInt32) {
    let hash = UInt64(truncatingIfNeeded: id.hashValue)
    return place(Key(home: Int(truncatingIfNeeded: hash), tag: UInt32(truncatingIfNeeded: hash >> 32))) {
      $0 == id
    }
  }

  private func place(of id: UnsafeBufferPointer<UInt8>) -> (slot: Int, tag: UInt32) {
    place(key(of: id)) { text in text.withBytes { $0.hasSameBytes(as: id) } }
  }

  @inline(__always)
  private func place(_ key: Key, _ isSame: (String) -> Bool) -> (slot: Int, tag: UInt32) {
    var slot = key.home & mask
    while slots[slot].entry >= 0 {
      if slots[slot].tag == key.tag, isSame(entries[Int(slots[slot].entry)].id) { break }
      slot = (slot + 1) & mask
    }
    return (slot, key.tag)
  }

  /// FNV-1a with a seed of this process's, and its high bits folded in: ids are short, and there are many.
  ///
  /// A last digit is not hashed into the home, but moves it by as much.
  private func key(of id: UnsafeBufferPointer<UInt8>) -> Key {
    let prime: UInt64 = 0x0000_0100_0000_01B3
    var state = seed ^ 0xCBF2_9CE4_8422_2325
    for byte in id.dropLast() { state = (state ^ UInt64(byte)) &* prime }
    let last = id.last ?? 0
    let whole = (state ^ UInt64(last)) &* prime
    let isDigit = last >= UInt8(ascii: "0") && last <= UInt8(ascii: "9")
    let home = isDigit ? (state ^ (state >> 32)) &+ UInt64(last) : whole ^ (whole >> 32)
    return Key(home: Int(truncatingIfNeeded: home), tag: UInt32(truncatingIfNeeded: whole >> 32))
  }
}

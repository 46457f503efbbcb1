/// The order of the steps in one list of a plan that is written in code: of the launch, or of an event.
struct CodedOrder {
  /// A step that comes before another one, or an id that no step and no group has.
  enum Predecessor: Hashable {
    case step(Int)
    case unknown(String)
  }

  private struct Node {
    /// The index of the step; `nil` for a group.
    var step: Int?
    var parent: Int?
    /// The place among the children of the parent.
    var place = 0
    var children: [Int] = []
    var isParallel = false
    var after: [String]?
  }

  /// The steps and groups. The first one is a group of all others.
  private var nodes = [Node()]
  /// The first node with each id or name.
  private var names: [String: Int] = [:]

  /// The node that contains all others.
  static let root = 0

  /// Adds a step, and returns its node.
  mutating func add(step: Int, id: String, after: [String]?, in parent: Int) -> Int {
    add(Node(step: step, parent: parent, after: after), named: id)
  }

  /// Adds a group, and returns its node.
  mutating func add(group name: String?, isParallel: Bool, after: [String]?, in parent: Int) -> Int {
    add(Node(parent: parent, isParallel: isParallel, after: after), named: name)
  }

  private mutating func add(_ node: Node, named name: String?) -> Int {
    let index = nodes.count
    nodes.append(node)
    if let parent = node.parent {
      nodes[index].place = nodes[parent].children.count
      nodes[parent].children.append(index)
    }
    if let name, names[name] == nil { names[name] = index }
    return index
  }

  /// True if the node has no `after` of its own.
  func isAfterAbove(_ node: Int) -> Bool { nodes[node].after == nil }

  /// Returns the steps that must end before a step or a group starts, without duplicates.
  func predecessors(of node: Int) -> [Predecessor] {
    var open: Set<Int> = []
    var found: Set<Predecessor> = []
    return predecessors(of: node, &open).filter { found.insert($0).inserted }
  }

  /// - Parameter open: The empty groups whose predecessors are being computed. Groups can wait for each other.
  private func predecessors(of node: Int, _ open: inout Set<Int>) -> [Predecessor] {
    guard let parent = nodes[node].parent else { return [] }
    if let after = nodes[node].after {
      return after.flatMap { ends(of: $0, &open) } + predecessors(of: parent, &open)
    }
    let place = nodes[node].place
    if !nodes[parent].isParallel, place > 0 {
      return ends(of: nodes[parent].children[place - 1], &open)
    }
    return predecessors(of: parent, &open)
  }

  private func ends(of id: String, _ open: inout Set<Int>) -> [Predecessor] {
    names[id].map { ends(of: $0, &open) } ?? [.unknown(id)]
  }

  /// Returns the steps after whose ends all steps of a node have ended.
  private func ends(of node: Int, _ open: inout Set<Int>) -> [Predecessor] {
    if let step = nodes[node].step { return [.step(step)] }
    let children = nodes[node].children
    guard !children.isEmpty else {
      guard open.insert(node).inserted else { return [] }
      defer { open.remove(node) }
      return predecessors(of: node, &open)
    }
    var ends: [Predecessor] = []
    for (place, child) in children.enumerated() {
      // A step that the next one waits for has ended when that one has.
      let isCovered =
        !nodes[node].isParallel && place + 1 < children.count && isAfterAbove(children[place + 1])
      if !isCovered { ends += self.ends(of: child, &open) }
    }
    return ends
  }
}

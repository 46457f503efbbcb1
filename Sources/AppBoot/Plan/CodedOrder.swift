/// The order of the steps in one list of a plan that is written in code: of the launch, or of an event.
struct CodedOrder {
  private struct Node {
    /// The id of the step; `nil` for a group.
    var id: String?
    var parent: Int?
    /// The place among the children of the parent.
    var place = 0
    var children: [Int] = []
    var isParallel = false
    var after: [String]?
  }

  /// The steps and groups. The first one is a group of all others.
  private var nodes = [Node()]
  /// The nodes of the steps.
  private var steps: [Int] = []
  /// The first node with each id or name.
  private var names: [String: Int] = [:]

  /// The node that contains all others.
  static let root = 0

  /// Adds a step.
  mutating func add(step id: String, after: [String]?, in parent: Int) {
    steps.append(add(Node(id: id, after: after), named: id, in: parent))
  }

  /// Adds a group, and returns its node.
  mutating func add(group name: String?, isParallel: Bool, after: [String]?, in parent: Int) -> Int {
    add(Node(isParallel: isParallel, after: after), named: name, in: parent)
  }

  private mutating func add(_ node: Node, named name: String?, in parent: Int) -> Int {
    let index = nodes.count
    nodes.append(node)
    nodes[index].parent = parent
    nodes[index].place = nodes[parent].children.count
    nodes[parent].children.append(index)
    if let name, names[name] == nil { names[name] = index }
    return index
  }

  /// Returns the ids of the steps that must end before a step starts, without duplicates; `nil` if that is only the
  /// step above it. Unknown ids are included.
  func predecessors(ofStep step: Int) -> [String]? {
    var open: Set<Int> = []
    var found: Set<String> = []
    let ids = predecessors(of: steps[step], &open).filter { found.insert($0).inserted }
    let above = step == 0 ? [] : [nodes[steps[step - 1]].id]
    return ids == above && nodes[steps[step]].after == nil ? nil : ids
  }

  /// - Parameter open: The empty groups whose predecessors are being computed. Groups can wait for each other.
  private func predecessors(of node: Int, _ open: inout Set<Int>) -> [String] {
    guard let parent = nodes[node].parent else { return [] }
    if let after = nodes[node].after {
      let last = after.flatMap { id in names[id].map { ends(of: $0, &open) } ?? [id] }
      return last + predecessors(of: parent, &open)
    }
    let place = nodes[node].place
    if !nodes[parent].isParallel, place > 0 {
      return ends(of: nodes[parent].children[place - 1], &open)
    }
    return predecessors(of: parent, &open)
  }

  /// Returns the ids of the last steps of a node. Once they have ended, all its steps have ended.
  private func ends(of node: Int, _ open: inout Set<Int>) -> [String] {
    if let id = nodes[node].id { return [id] }
    let children = nodes[node].children
    guard !children.isEmpty else {
      guard open.insert(node).inserted else { return [] }
      defer { open.remove(node) }
      return predecessors(of: node, &open)
    }
    if nodes[node].isParallel { return children.flatMap { ends(of: $0, &open) } }
    // A step that the next one waits for has ended when that one has.
    let uncovered = children.indices.filter { index in
      index + 1 == children.count || nodes[children[index + 1]].after != nil
    }
    return uncovered.flatMap { ends(of: children[$0], &open) }
  }
}

import AppBoot

/// The screens of one flow: a stack of screens, the stacks presented over it, and its child flows.
///
/// The first layer is the flow's own stack. Each presented screen begins a further layer on top. A layer has its first
/// screen and the newest ones, at most ``mostScreens``. An app that opens a screen for each event thus stays small.
package struct ScreenFlow: Sendable, Hashable {
  /// The number of screens in a layer. A further one replaces the oldest screen above the first.
  package static let mostScreens = 100

  /// The name of the flow.
  package let name: String
  /// True for a child flow that is presented over its parent, and not pushed on the parent's stack.
  package let isPresented: Bool
  /// The layers and their screens, from bottom to top. Layers are never empty.
  package internal(set) var layers: [[Navigation.Item]] = []
  /// The child flows, from bottom to top.
  package internal(set) var children: [ScreenFlow] = []

  /// Creates a flow without screens.
  init(name: String, isPresented: Bool = false) {
    self.name = name
    self.isPresented = isPresented
  }

  /// True if the flow has a first screen.
  package var isStarted: Bool { !layers.isEmpty }

  /// The top screen of the topmost child flow with a screen, or else of the topmost layer; `nil` without screens.
  package var visible: AppScreen? {
    // A lazy chain would evaluate each child twice, which is exponential in the depth.
    for child in children.reversed() {
      if let screen = child.visible { return screen }
    }
    return layers.last?.last?.screen
  }

  /// All screens as a window shows them: a child's stack continues the topmost stack below it.
  package var navigation: Navigation {
    var stacks: [[Navigation.Item]] = []
    addStacks(to: &stacks)
    return Navigation(stacks: stacks)
  }

  private func addStacks(to stacks: inout [[Navigation.Item]]) {
    for (index, layer) in layers.enumerated() {
      if index == 0, !isPresented, let top = stacks.indices.last {
        stacks[top] += layer
      } else {
        stacks.append(layer)
      }
    }
    for child in children { child.addStacks(to: &stacks) }
  }

  /// True if the flow or one of its child flows has a screen.
  private var isShown: Bool { isStarted || children.contains(where: \.isShown) }

  /// All screens of the flow and its children, from bottom to top.
  package var screens: [AppScreen] { layers.joined().map(\.screen) + children.flatMap(\.screens) }

  /// Sets the first screen.
  mutating func start(_ screen: Navigation.Item) throws(ScreenError) {
    guard !isStarted else { throw .alreadyStarted(flow: name) }
    layers = [[screen]]
  }

  /// Pushes a screen on the topmost layer. If there are too many, removes the oldest screens above its first one.
  mutating func push(_ screen: Navigation.Item) throws(ScreenError) {
    try checkStarted()
    let layer = layers.count - 1
    layers[layer].append(screen)
    let excess = layers[layer].count - Self.mostScreens
    if excess > 0 { layers[layer].removeSubrange(1...excess) }
  }

  /// Removes the top screen of the topmost layer. The first screen of the layer stays.
  mutating func pop() throws(ScreenError) {
    try checkStarted()
    guard layers[layers.count - 1].count > 1 else { throw .atRoot(flow: name) }
    layers[layers.count - 1].removeLast()
  }

  /// Presents a screen as a new layer: on the topmost child flow with a screen, or else on this flow.
  mutating func present(_ screen: Navigation.Item) throws(ScreenError) {
    if let top = topChild { return try children[top].present(screen) }
    try checkStarted()
    layers.append([screen])
  }

  /// Removes the screens that were presented last: those of the topmost child flow if it presents any, or else those of
  /// this flow. Throws an error if nothing is presented.
  mutating func dismiss() throws(ScreenError) {
    if let top = topChild, children[top].presents { return try children[top].dismiss() }
    try checkStarted()
    guard layers.count > 1 else { throw .nothingPresented(flow: name) }
    layers.removeLast()
  }

  /// Removes everything except the first screen: presented layers, pushed screens and child flows.
  mutating func popToRoot() throws(ScreenError) {
    try checkStarted()
    layers = [Array(layers[0].prefix(1))]
    children = []
  }

  /// Shows a screen on top of the topmost child flow with a screen, or else of this flow. Starts this flow if
  /// necessary.
  mutating func show(_ screen: Navigation.Item) throws(ScreenError) {
    if let top = topChild { return try children[top].show(screen) }
    if isStarted { try push(screen) } else { try start(screen) }
  }

  /// Removes the screens that the user has left. A child flow without its screens is finished.
  mutating func remove(_ items: Set<Int>) {
    layers = layers.map { $0.filter { !items.contains($0.id) } }.filter { !$0.isEmpty }
    children = children.compactMap { child in
      var child = child
      let wasShown = child.isShown
      child.remove(items)
      return wasShown && !child.isShown ? nil : child
    }
  }

  /// The index of the topmost child flow with a screen; `nil` if no child flow has one.
  private var topChild: Int? { children.lastIndex(where: \.isShown) }

  /// True if the flow or its topmost child flow with a screen has a presented layer.
  private var presents: Bool { layers.count > 1 || topChild.map { children[$0].presents } == true }

  private func checkStarted() throws(ScreenError) {
    guard isStarted else { throw .notStarted(flow: name) }
  }

  // MARK: - Child flows

  /// Changes the flow at a path of child names.
  ///
  /// - Throws: ``ScreenError/finished(flow:)`` if the flow no longer exists; the errors of `body`.
  mutating func change(
    at path: ArraySlice<String>, _ body: (inout ScreenFlow) throws(ScreenError) -> Void
  ) throws(ScreenError) {
    guard let next = path.first else { return try body(&self) }
    guard let index = children.firstIndex(where: { $0.name == next }) else { throw .finished(flow: next) }
    try children[index].change(at: path.dropFirst(), body)
  }

  func flow(at path: ArraySlice<String>) -> ScreenFlow? {
    guard let next = path.first else { return self }
    return children.first { $0.name == next }?.flow(at: path.dropFirst())
  }
}

/// An error in a change of screens. In most cases it contains the name of the flow.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ScreenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The flow already has a first screen.
  case alreadyStarted(flow: String)
  /// The flow has no first screen yet.
  case notStarted(flow: String)
  /// The top layer has only its first screen, which cannot be removed.
  case atRoot(flow: String)
  /// The flow presents no screen that could be dismissed.
  case nothingPresented(flow: String)
  /// The flow no longer exists. For example, it was finished, or its parent flow returned to the first screen.
  case finished(flow: String)
  /// A child with this name already exists.
  case duplicateChild(String)
  /// A flow without a parent cannot be finished.
  case notAChild(flow: String)
  /// The window is showing another screen at the moment.
  case busy(flow: String)
  /// No route matches the request.
  case noRoute(String)

  /// The error message.
  public var description: String {
    switch self {
    case .alreadyStarted(let flow): "\"\(flow)\" already has its first screen: use push or present"
    case .notStarted(let flow): "\"\(flow)\" has no first screen yet: call start"
    case .atRoot(let flow): "\"\(flow)\" cannot pop: only the first screen of the layer is left"
    case .nothingPresented(let flow): "\"\(flow)\" cannot dismiss: it presents no screen"
    case .finished(let flow): "\"\(flow)\" is finished"
    case .duplicateChild(let name): "a child flow \"\(name)\" already exists: choose another name"
    case .notAChild(let flow): "\"\(flow)\" has no parent flow: only child flows can be finished"
    case .busy(let flow): "the window of \"\(flow)\" is already showing another screen: try again afterwards"
    case .noRoute(let request): "no route matches \(request)"
    }
  }
}

extension ScreenFlow {
  /// The format version of the restoration data.
  static let formatVersion = 1

  /// The flow as JSON: `{ "version", "name", "presented", "layers": [[{ "name", "title", "text", "parameters" }]],
  /// "children": [ … ] }`. `presented` and `parameters` are optional.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer, isRoot: true)
    return writer.text
  }

  private func write(to writer: inout JSONWriter, isRoot: Bool = false) {
    writer.object { writer in
      if isRoot { writer.member("version", Self.formatVersion) }
      writer.member("name", name)
      if isPresented { writer.member("presented", true) }
      writer.key("layers")
      writer.array { writer in
        for layer in layers {
          writer.array { writer in
            for item in layer { item.screen.write(to: &writer) }
          }
        }
      }
      writer.key("children")
      writer.array { writer in
        for child in children { child.write(to: &writer) }
      }
    }
  }

  /// Creates a flow from restoration data. The flow gets the given name.
  ///
  /// - Parameter item: A function that makes the item of a screen.
  init(
    json text: String, name: String, item: (AppScreen) -> Navigation.Item
  ) throws(RestorationError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: SourceText(name: "restoration data", text: text)).root
    } catch {
      throw .notJSON(error.diagnostics.first?.message ?? "it cannot be read")
    }
    guard let version = try? root["version"]?.integer(as: Int.self) else { throw .malformed("version") }
    guard version == Self.formatVersion else { throw .unknownVersion(version) }
    try self.init(root, name: name, item)
  }

  private init(
    _ value: JSONValue, name: String, _ item: (AppScreen) -> Navigation.Item
  ) throws(RestorationError) {
    self.init(name: name, isPresented: value["presented"]?.bool == true)
    guard let layers = value["layers"], layers.kind == .array else { throw .malformed("layers") }
    for layer in layers.elements {
      var items: [Navigation.Item] = []
      for screen in layer.elements { items.append(item(try AppScreen(screen))) }
      guard !items.isEmpty else { throw .malformed("layers") }
      self.layers.append(items)
    }
    guard let children = value["children"], children.kind == .array else { throw .malformed("children") }
    for child in children.elements {
      guard let name = child["name"]?.string else { throw .malformed("name") }
      self.children.append(try ScreenFlow(child, name: name, item))
    }
  }
}

extension AppScreen {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("title", title)
      writer.member("text", text)
      guard !parameters.isEmpty else { return }
      writer.key("parameters")
      writer.object { writer in
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
      }
    }
  }

  fileprivate init(_ value: JSONValue) throws(RestorationError) {
    guard let name = value["name"]?.string else { throw .malformed("name") }
    guard let title = value["title"]?.string else { throw .malformed("title") }
    guard let text = value["text"]?.string else { throw .malformed("text") }
    var parameters: [String: String] = [:]
    if let members = value["parameters"]?.members {
      for member in members {
        guard let text = member.value.string else { throw .malformed("parameters") }
        parameters[member.key.string] = text
      }
    }
    self.init(name: name, title: title, text: text, parameters: parameters)
  }
}

/// An error in restoration data.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RestorationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The data is not JSON. The value is the first syntax error.
  case notJSON(String)
  /// The data was saved by a version of the app that uses another format. The value is the format's version.
  case unknownVersion(Int)
  /// A member is missing or has the wrong type. The value is the member's name.
  case malformed(String)

  /// The error message.
  public var description: String {
    switch self {
    case .notJSON(let reason): "the restoration data is not JSON: \(reason)"
    case .unknownVersion(let version):
      "the restoration data has version \(version), which this app cannot read"
    case .malformed(let member): "the restoration data has no valid \"\(member)\""
    }
  }
}

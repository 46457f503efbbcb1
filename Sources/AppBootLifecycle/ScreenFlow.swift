public import AppBoot

/// The screens of one flow: a stack, further stacks presented over it, and the flows that it started.
///
/// The first layer is the flow's own stack; every presented screen begins a layer of its own on top.
public struct ScreenFlow: Sendable, Hashable {
  /// The flow's name.
  public let name: String
  /// The layers, the lowest first; each has its first screen at the beginning. None is empty.
  public internal(set) var layers: [[AppScreen]] = []
  /// The flows that it started, the newest last; that one is on top.
  public internal(set) var children: [ScreenFlow] = []

  /// Creates a flow without screens.
  public init(name: String) { self.name = name }

  /// Whether it has a first screen.
  public var isStarted: Bool { !layers.isEmpty }

  /// The screen on top: of the newest child that has one, or else of the topmost layer.
  public var visible: AppScreen? {
    // Each child is asked once: a lazy chain asks twice at each level, which doubles with the depth.
    for child in children.reversed() {
      if let screen = child.visible { return screen }
    }
    return layers.last?.last
  }

  /// Whether it, or a child, shows a screen.
  private var isShown: Bool { isStarted || children.contains(where: \.isShown) }

  /// Every screen that is kept, the lowest first.
  public var screens: [AppScreen] { layers.flatMap(\.self) + children.flatMap(\.screens) }

  /// Sets the first screen.
  public mutating func start(_ screen: AppScreen) throws(ScreenError) {
    guard !isStarted else { throw .alreadyStarted(flow: name) }
    layers = [[screen]]
  }

  /// Puts a screen on top of the topmost layer.
  public mutating func push(_ screen: AppScreen) throws(ScreenError) {
    try checkStarted()
    layers[layers.count - 1].append(screen)
  }

  /// Takes the screen on top off the topmost layer; its first screen stays.
  public mutating func pop() throws(ScreenError) {
    try checkStarted()
    guard layers[layers.count - 1].count > 1 else { throw .atRoot(flow: name) }
    layers[layers.count - 1].removeLast()
  }

  /// Puts a screen over everything, as a layer of its own: of the child that is on top, where one is.
  public mutating func present(_ screen: AppScreen) throws(ScreenError) {
    if let top = topChild { return try children[top].present(screen) }
    try checkStarted()
    layers.append([screen])
  }

  /// Takes the topmost presented layer away, with all that was pushed on it: of the child that is on top, where that presents
  /// something.
  public mutating func dismiss() throws(ScreenError) {
    if let top = topChild, children[top].presents { return try children[top].dismiss() }
    try checkStarted()
    guard layers.count > 1 else { throw .nothingPresented(flow: name) }
    layers.removeLast()
  }

  /// Takes everything away but the first screen: what is presented, what is pushed, and the children.
  public mutating func popToRoot() throws(ScreenError) {
    try checkStarted()
    layers = [Array(layers[0].prefix(1))]
    children = []
  }

  /// Starts where nothing is shown, and else goes on top of what is: of the child that is on top, where one is.
  public mutating func show(_ screen: AppScreen) throws(ScreenError) {
    if let top = topChild { return try children[top].show(screen) }
    if isStarted { try push(screen) } else { try start(screen) }
  }

  /// The newest child that shows a screen.
  private var topChild: Int? { children.lastIndex(where: \.isShown) }

  /// Whether it, or the child on top of it, has a presented layer.
  private var presents: Bool { layers.count > 1 || topChild.map { children[$0].presents } == true }

  private func checkStarted() throws(ScreenError) {
    guard isStarted else { throw .notStarted(flow: name) }
  }

  // MARK: - Flows inside

  /// Changes the flow at a path of children; throws where it has ended.
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

/// Why screens cannot change as asked; the flow is named.
public enum ScreenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has a first screen already.
  case alreadyStarted(flow: String)
  /// It has no first screen yet.
  case notStarted(flow: String)
  /// Only the first screen of the layer is left.
  case atRoot(flow: String)
  /// There is nothing to dismiss.
  case nothingPresented(flow: String)
  /// It was finished, or its parent went back to its first screen.
  case finished(flow: String)
  /// There is a child of this name already.
  case doubledChild(String)
  /// A flow that nobody started cannot be finished.
  case notAChild(flow: String)
  /// The window is just showing a screen: it asks for another one meanwhile, or another thread does.
  case busy(flow: String)
  /// No route leads from this to a screen.
  case noRoute(String)

  /// What is wrong.
  public var description: String {
    switch self {
    case .alreadyStarted(let flow): "\"\(flow)\" has its first screen already: push or present"
    case .notStarted(let flow): "\"\(flow)\" has no first screen yet: start it"
    case .atRoot(let flow): "\"\(flow)\" has nothing to go back to: only the first screen is left"
    case .nothingPresented(let flow): "\"\(flow)\" presents nothing that could be dismissed"
    case .finished(let flow): "\"\(flow)\" is finished"
    case .doubledChild(let name): "there is a flow \"\(name)\" already"
    case .notAChild(let flow): "\"\(flow)\" was started by no other flow: it cannot be finished"
    case .busy(let flow): "the window of \"\(flow)\" is just showing another screen"
    case .noRoute(let request): "no route leads from \(request) to a screen"
    }
  }
}

/// The screens on a window: its own stack, and the stacks that are presented over it.
public struct Navigation: Sendable, Hashable {
  /// A screen in a stack. It keeps its identity while it is on the window, also if an equal screen is above it.
  public struct Item: Sendable, Hashable, Identifiable {
    /// The number of the item, which no other item on the window has.
    public let id: Int
    /// The screen.
    public let screen: AppScreen

    /// Creates an item.
    public init(id: Int, screen: AppScreen) {
      self.id = id
      self.screen = screen
    }
  }

  /// The stacks from bottom to top, each with at least one item. Each stack but the first is presented over the others.
  public let stacks: [[Item]]

  /// Creates a navigation. Empty stacks are omitted.
  public init(stacks: [[Item]]) { self.stacks = stacks.filter { !$0.isEmpty } }

  /// Creates a navigation of one screen.
  public init(_ screen: AppScreen) { self.init(stacks: [[Item(id: 0, screen: screen)]]) }

  /// The item on top, whose screen is visible; `nil` without screens.
  public var visible: Item? { stacks.last?.last }

  /// All screens, from bottom to top.
  public var screens: [AppScreen] { stacks.joined().map(\.screen) }

  /// Returns the navigation after the user went back by one screen; `nil` if the top stack has only its first screen.
  public func afterGoingBack() -> Navigation? {
    guard let top = stacks.last, top.count > 1 else { return nil }
    return Navigation(stacks: stacks.dropLast() + [top.dropLast()])
  }

  /// Returns the navigation after the user dismissed the top stack; `nil` if nothing is presented.
  public func afterDismissal() -> Navigation? {
    stacks.count > 1 ? Navigation(stacks: stacks.dropLast()) : nil
  }
}

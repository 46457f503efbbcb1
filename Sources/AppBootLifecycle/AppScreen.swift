/// A screen that a window shows: a heading and a text, and what an app needs to make its own view of it.
public struct AppScreen: Sendable, Hashable {
  /// The screen's name in the manifest.
  public let name: String
  /// The heading of the screen.
  public let title: String
  /// The text, with line feeds between paragraphs. Its placeholders are already replaced.
  public let text: String
  /// The values of the placeholders of the route that led to the screen, for example `["id": "7"]`.
  public let parameters: [String: String]
  private let content: ScreenContent?

  /// Returns the screen's value; `nil` if it has none, or one of another type.
  public func value<Value>(as type: Value.Type = Value.self) -> Value? { content?.value as? Value }

  /// Returns the screen with another title and text.
  package func replacing(title: String, text: String) -> AppScreen {
    AppScreen(name: name, title: title, text: text, parameters: parameters, content: content)
  }
}

extension AppScreen {
  /// Creates a screen. Without a title, its name is the heading.
  public init(name: String, title: String? = nil, text: String = "", parameters: [String: String] = [:]) {
    self.init(name: name, title: title ?? name, text: text, parameters: parameters, content: nil)
  }

  /// Creates a screen with a value of the app, for example the note that it shows.
  ///
  /// Restoration data has the parameters, but not the value: a restored screen has none.
  public init(
    name: String, title: String? = nil, text: String = "", parameters: [String: String] = [:],
    value: some Hashable & Sendable
  ) {
    self.init(
      name: name, title: title ?? name, text: text, parameters: parameters,
      content: ScreenContent(value: value))
  }
}

/// A value of any type that can be compared.
private struct ScreenContent: Sendable, Hashable {
  let value: any Hashable & Sendable

  static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}

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

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
  /// Creates a screen.
  public init(name: String, title: String, text: String, parameters: [String: String] = [:]) {
    self.init(name: name, title: title, text: text, parameters: parameters, content: nil)
  }

  /// Creates a screen with a value of the app, for example the note that it shows.
  ///
  /// Restoration data has the parameters, but not the value: a restored screen has none.
  public init(
    name: String, title: String, text: String, parameters: [String: String] = [:],
    value: some Hashable & Sendable
  ) {
    self.init(
      name: name, title: title, text: text, parameters: parameters, content: ScreenContent(value: value))
  }
}

/// A value of any type that can be compared.
private struct ScreenContent: Sendable, Hashable {
  let value: any Hashable & Sendable

  static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}

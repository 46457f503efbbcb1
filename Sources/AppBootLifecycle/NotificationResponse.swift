/// The user's response to a notification.
public struct NotificationResponse: Sendable, Hashable {
  /// The action that the user chose; `nil` if the user tapped the notification itself.
  public var action: String?
  /// The text that the user typed; `nil` if the action takes no text.
  public var text: String?
  /// The identifier of the notification's request; `nil` if it is unknown.
  public var identifier: String?
  /// The identifier of the notification's category; `nil` if it has none.
  public var category: String?
  /// The identifier of the notification's thread; `nil` if it has none.
  public var thread: String?
  /// The payload of the notification, a JSON object.
  public var payload: String

  /// Creates a response.
  public init(
    action: String? = nil, text: String? = nil, identifier: String? = nil, category: String? = nil,
    thread: String? = nil, payload: String = "{}"
  ) {
    self.action = action
    self.text = text
    self.identifier = identifier
    self.category = category
    self.thread = thread
    self.payload = payload
  }
}

package import AppBoot
import AppBootLifecycle

/// A category of notifications in a manifest.
package struct NotificationCategory: ParameterGroup {
  /// The identifier, as the notification's payload names it.
  @Parameter("The category's identifier, as the notification's payload names it.")
  package var id: String

  /// The actions, in the order in which they are shown.
  @Parameter("The actions that the user can choose, in the order in which they are shown.")
  package var actions: [NotificationAction] = []

  /// Creates a category without actions.
  package init() {}

  var registration: PushRegistration.Category {
    PushRegistration.Category(id: id, actions: actions.map(\.registration))
  }
}

/// An action of a category of notifications in a manifest.
package struct NotificationAction: ParameterGroup {
  /// The identifier, which the response to the notification has.
  @Parameter("The action's identifier, which the response to the notification has.")
  package var id: String

  /// The title of the action's button.
  @Parameter("The title of the action's button.")
  package var title: String

  /// True if the action opens the app.
  @Parameter("true: the action opens the app.")
  package var opensApp = false

  /// True if the action is shown as one that deletes something.
  @Parameter("true: the action is shown as one that deletes something.")
  package var destructive = false

  /// The title of the button that sends the user's text; `nil` if the action takes no text.
  @Parameter("The title of the button that sends the text which the user types.")
  package var textButton: String?

  /// Creates an action.
  package init() {}

  fileprivate var registration: PushRegistration.Action {
    PushRegistration.Action(
      id: id, title: title, opensApp: opensApp, isDestructive: destructive, textButton: textButton)
  }
}

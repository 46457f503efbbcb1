import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootUIKit
import SwiftUI

@main
struct NotesApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

  var body: some Scene {
    WindowGroup { NotesView(delegate: delegate) }
  }
}

class AppDelegate: AppBootAppDelegate {
  override func register(in registry: inout CommandRegistry) {
    registry.register(StockCommands.all)
    registry.register(OpenNotes.self)
  }
}

/// The view of a window, with the values of the launch.
struct NotesView: View {
  let delegate: AppBootAppDelegate

  var text: String {
    if let error = delegate.launchError { return "The launch failed: \(error)" }
    return "\(delegate.host?.value(for: .notes) ?? 0) notes"
  }

  var body: some View {
    Text(text).onOpenURL { url in
      delegate.host?.receive(.openURL(OpenURLRequest(url.absoluteString))) { _ in }
    }
  }
}

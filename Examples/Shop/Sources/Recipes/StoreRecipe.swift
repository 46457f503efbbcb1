import AppBoot
import AppBootLifecycle

struct AppState: Sendable, Equatable {
  var unread = 0
  var isOnline = true
}

enum AppAction: Sendable {
  case received(Int)
  case readAll
  case connection(Bool)
}

let inbox = LifecycleStore<Int, AppAction>.Reducer { unread, action in
  switch action {
  case .received(let count): unread += count
  case .readAll: unread = 0
  case .connection: break
  }
}

let network = LifecycleStore<AppState, AppAction>.Reducer { state, action in
  if case .connection(let isOnline) = action { state.isOnline = isOnline }
}

func makeStore() -> LifecycleStore<AppState, AppAction> {
  let store = LifecycleStore(AppState(), reducer: .init(combining: [inbox.lifted(to: \.unread), network]))
  store.subscribe(to: \.unread) { Icon.setBadge($0) }  // now, and whenever it has changed
  return store
}

@MainActor
final class InboxScreen {
  var title = "Inbox"

  func appear(_ store: LifecycleStore<AppState, AppAction>) {
    // Ends with the screen, or with store.unsubscribe(self).
    store.subscribe(self, to: \.unread) { screen, unread in screen.title = "Inbox (\(unread))" }
  }
}

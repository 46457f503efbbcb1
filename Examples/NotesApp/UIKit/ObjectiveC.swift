#if canImport(ObjectiveC)
import AppBoot
import AppBootLifecycle
import AppBootUIKit
import Foundation

@MainActor @objc(NALifecycleListener) protocol LifecycleListenerObject {
  func didReceive(_ event: String, url: String?, payload: String?)
}

@MainActor @objc(NALifecycle) final class Lifecycle: NSObject {
  static let mediator = LifecycleMediator()
  @objc static func add(_ listener: any LifecycleListenerObject, event: String) {
    mediator.onMainActor(EventName(event)) { listener.didReceive($0.name, url: $0.url, payload: $0.payload) }
  }
  @objc static func send(_ event: String, payload: String?) {
    AppBootAppDelegate.current?.host?.receive(.custom(CustomEvent(event, payload: payload))) { _ in }
  }
}
#endif

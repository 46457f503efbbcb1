import AppBoot
import AppBootLifecycle
import Testing

@Suite("What a launch was told")
struct LaunchEchoesTests {
  private func echoes(_ change: (inout LaunchSource) -> Void) -> DuplicateEventFilter {
    var signs = LaunchSource()
    change(&signs)
    return DuplicateEventFilter(of: signs)
  }

  /// Whether each event tells what the launch was told, one after the other.
  private func taken(_ echoes: DuplicateEventFilter, _ events: LifecycleEvent...) -> [Bool] {
    var echoes = echoes
    return events.map { echoes.take($0) }
  }

  @Test("is told again by the event of its URL, activity or quick action, once")
  func once() {
    let link = UserActivity(url: "https://example.org/7")
    let other = LifecycleEvent.openURL("notes://8")
    let url = LifecycleEvent.openURL("notes://7")
    #expect(taken(echoes { $0.url = "notes://7" }, other, url, url) == [false, true, false])
    let activity = LifecycleEvent.continueActivity(link)
    #expect(taken(echoes { $0.activity = link }, other, activity, activity) == [false, true, false])
    let action = LifecycleEvent.performQuickAction("new")
    #expect(taken(echoes { $0.quickAction = "new" }, other, action, action) == [false, true, false])
  }

  @Test("is told again by a response to its notification, whatever the action and the scene")
  func response() {
    let told = echoes { $0.response = NotificationResponse(payload: #"{"id":1}"#) }
    let other = LifecycleEvent.didReceiveNotificationResponse(NotificationResponse(payload: "{}"))
    let same = NotificationResponse(action: "reply", payload: #"{"id":1}"#)
    #expect(taken(told, other, .didReceiveNotificationResponse(same, scene: "left")) == [false, true])
  }

  @Test("is told a scene only by a response")
  func scene() {
    var signs = LaunchSource()
    signs.url = "notes://7"
    #expect(taken(DuplicateEventFilter(of: signs, isScene: true), .openURL("notes://7")) == [false])
    signs.response = NotificationResponse()
    let event = LifecycleEvent.didReceiveNotificationResponse(NotificationResponse())
    #expect(taken(DuplicateEventFilter(of: signs, isScene: true), event) == [true])
  }

  @Test("is not told again by what the launch did not go by")
  func others() {
    let both = echoes {
      $0.quickAction = "new"
      $0.url = "notes://7"
    }
    #expect(taken(both, .openURL("notes://7")) == [false])
    #expect(taken(echoes { _ in }, .openURL("notes://7")) == [false])
  }
}

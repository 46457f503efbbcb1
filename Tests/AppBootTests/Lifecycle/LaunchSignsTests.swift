import AppBoot
import Testing

@Suite("What a launch was told")
struct LaunchSignsTests {
  private func echoes(_ change: (inout LaunchSigns) -> Void) -> LaunchEchoes {
    var signs = LaunchSigns()
    change(&signs)
    return LaunchEchoes(of: signs)
  }

  /// Whether each event tells what the launch was told, one after the other.
  private func taken(_ echoes: LaunchEchoes, _ events: LifecycleEvent...) -> [Bool] {
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

  @Test("is not told again by what the launch did not go by")
  func others() {
    let both = echoes {
      $0.quickAction = "new"
      $0.url = "notes://7"
    }
    #expect(taken(both, .openURL("notes://7")) == [false])
    let response = NotificationResponse(payload: "{}")
    #expect(taken(echoes { $0.response = response }, .didReceiveNotificationResponse(response)) == [false])
    #expect(taken(LaunchEchoes(), .openURL("notes://7")) == [false])
  }
}

import AppBoot
import AppBootLifecycle
import Testing

@Suite("The filter of duplicate events")
struct DuplicateEventFilterTests {
  private func filter(_ change: (inout LaunchSource) -> Void) -> DuplicateEventFilter {
    var source = LaunchSource()
    change(&source)
    return DuplicateEventFilter(of: source)
  }

  /// Returns for each event in turn whether the filter takes it as a duplicate.
  private func taken(_ filter: DuplicateEventFilter, _ events: LifecycleEvent...) -> [Bool] {
    var filter = filter
    return events.map { filter.take($0) }
  }

  @Test("The event of the launch's URL, activity or quick action is a duplicate once")
  func once() {
    let link = UserActivity(url: "https://example.org/7")
    let other = LifecycleEvent.openURL("notes://8")
    let url = LifecycleEvent.openURL("notes://7")
    #expect(taken(filter { $0.request = "notes://7" }, other, url, url) == [false, true, false])
    let activity = LifecycleEvent.continueActivity(link)
    #expect(taken(filter { $0.activity = link }, other, activity, activity) == [false, true, false])
    let action = LifecycleEvent.performQuickAction("new")
    #expect(taken(filter { $0.quickAction = "new" }, other, action, action) == [false, true, false])
  }

  @Test("A response to the launch's notification is a duplicate with any action and scene")
  func response() {
    let answered = filter { $0.response = NotificationResponse(payload: #"{"id":1}"#) }
    let other = LifecycleEvent.didReceiveNotificationResponse(NotificationResponse(payload: "{}"))
    let same = NotificationResponse(action: "reply", payload: #"{"id":1}"#, scene: "left")
    #expect(taken(answered, other, .didReceiveNotificationResponse(same)) == [false, true])
  }

  @Test("A request is a duplicate with any data that only one of the two calls has")
  func otherData() {
    let inPlace = OpenURLRequest("notes://7", opensInPlace: true)
    #expect(taken(filter { $0.request = "notes://7" }, .openURL(inPlace)) == [true])
    let edit = UserActivity(type: "edit", userInfo: "{}")
    #expect(taken(filter { $0.activity = UserActivity(type: "edit") }, .continueActivity(edit)) == [true])
    let new = QuickAction("new", userInfo: "{}")
    #expect(taken(filter { $0.quickAction = "new" }, .performQuickAction(new)) == [true])
  }

  @Test("The request that opened a scene is a duplicate in this scene only")
  func scene() {
    var source = LaunchSource()
    source.request = "notes://7"
    let ofScene = DuplicateEventFilter(of: source, in: "left")
    let (left, right) = (
      LifecycleEvent.openURL(OpenURLRequest("notes://7", scene: "left")),
      LifecycleEvent.openURL(OpenURLRequest("notes://7", scene: "right"))
    )
    #expect(taken(ofScene, .openURL("notes://7"), right, left, left) == [false, false, true, false])
    source.response = NotificationResponse()
    let event = LifecycleEvent.didReceiveNotificationResponse(NotificationResponse())
    #expect(taken(DuplicateEventFilter(of: source, in: "left"), event) == [true])
  }

  @Test("A request that did not decide the launch's reason is not a duplicate")
  func others() {
    let both = filter {
      $0.quickAction = "new"
      $0.request = "notes://7"
    }
    #expect(taken(both, .openURL("notes://7")) == [false])
    #expect(taken(filter { _ in }, .openURL("notes://7")) == [false])
  }
}

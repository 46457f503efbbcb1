import AppBoot
import AppBootLifecycle
import AppBootTestKit
import Testing
import AppBootTestSupport

/// Each pattern as its description asks for it, and the same with AppBoot.
@Suite("The listing of a pattern")
struct ListingTests {
  private let log = Log()
  private let window = RecordingWindow()

  @Test("Command: both run the commands in order and show the first screen")
  func command() {
    CommandListing.launchWithPattern(log, window)
    #expect(CommandListing.launch(log, window).succeeded)
    #expect(log.all == ["crash reports", "database", "crash reports", "database"])
    #expect(window.calls == [.show(Navigation(screen("Home"))), .show(Navigation(screen("Home")))])
  }

  @Test("Composite: both ask every part and call the completion handler once")
  func composite() async {
    let (pattern, ours) = (CompositeListing.makeDelegate(), CompositeListing.makeComposite())
    #expect(pattern.launch(url: nil) && pattern.open("feed:1") && !pattern.open("other:"))
    let fetched = await withCheckedContinuation { continuation in
      pattern.fetch { continuation.resume(returning: $0) }
    }
    #expect(fetched == .newData)
    #expect(await ours.ask(.didFinishLaunching(LaunchOptions())).answer == .bool(true))
    #expect(await ours.ask(.openURL("feed:1")).answer == .bool(true))
    #expect(await ours.ask(.openURL("other:")).answer == .bool(false))
    #expect(await ours.ask(.didReceiveRemoteNotification(payload: "{}")).answer == .fetch(.newData))
  }

  @Test("Mediator: both forward the source's events to each listener")
  func mediator() throws {
    let (source, other) = (ManualEventSource(), ManualEventSource())
    let pattern = try MediatorListing.StateMediator.makeDefaultMediator(source, log)
    let ours = try MediatorListing.makeMediator(other, log)
    for event in [.willEnterForeground, .didEnterBackground] as [LifecycleEvent] {
      source.send(event)
      other.send(event)
    }
    #expect(
      log.all == ["play", "play", "pause", "disconnect", "pause", "disconnect"])
    withExtendedLifetime((pattern, ours)) {}
  }

  @Test("Scenes: both launch once, and show a screen for each window")
  func scenes() throws {
    let windows = (0..<4).map { _ in RecordingWindow() }
    let pattern = SceneListing.AppDelegate(log: log)
    pattern.didFinishLaunching()
    pattern.connect("left", windows[0], url: nil)
    pattern.connect("right", windows[1], url: "notes://Seven")
    pattern.open("notes://Eight", in: "right")
    let ours = try SceneListing.host(log, ["left": windows[2], "right": windows[3]])
    ours.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    ours.receive(.sceneWillConnect("left")) { _ in }
    ours.receive(.sceneWillConnect(SceneConnection("right", options: LaunchOptions(url: "notes://Seven")))) {
      _ in
    }
    ours.receive(.openURL(OpenURLRequest("notes://Eight", scene: "right"))) { _ in }
    #expect(log.all == ["launch", "launch"])
    #expect(
      windows.map { $0.screens.map(\.name) }
        == [["Home"], ["Seven", "Eight"], ["Home"], ["Seven", "Eight"]])
  }

  @MainActor
  @Test("Store: both notify a subscriber of the first value and of each change, and do not retain it")
  func store() async {
    let (badge, view) = (StoreListing.Badge(), StoreListing.BadgeView())
    let (pattern, ours) = (StoreListing.countWithPattern(badge), StoreListing.count(view))
    for change in [.received(2), .received(0), .readAll] as [StoreListing.Change] {
      pattern.dispatch(change)
      ours.dispatch(change)
    }
    await Task { @MainActor in }.value
    #expect(badge.texts == ["0", "2", "0"])
    #expect(view.texts == badge.texts)
  }

  @MainActor
  @Test("Coordinator: both push a child's screen, and finish the child when the user goes back")
  func coordinator() throws {
    let navigation = CoordinatorListing.NavigationController()
    let pattern = CoordinatorListing.MainCoordinator(navigation)
    pattern.start()
    pattern.edit()
    navigation.goBack()
    #expect(navigation.screens == ["Notes"])
    #expect(pattern.children.isEmpty)
    let ours = CoordinatorListing.NotesFlow(coordinator: ScreenCoordinator(window: window))
    try ours.start()
    try ours.edit()
    #expect(window.navigation.screens.map(\.name) == ["Notes", "Editor"])
    window.goBack()
    #expect(ours.coordinator.screens.map(\.name) == ["Notes"])
    #expect(ours.coordinator.child("editor") == nil)
  }
}

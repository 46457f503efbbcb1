import AppBoot
import AppBootLifecycle
import Testing
import AppBootTestSupport

@Suite("A responder with a closure")
struct EventResponderTests {
  @Test("A closure answers its events, and gives the default answer to all others")
  func answers() async {
    let links = EventResponder(.openURL, .willPresentNotification) { event in
      if case .openURL(let request) = event { return .bool(request.url.hasPrefix("notes:")) }
      return .presentation([.banner])
    }
    let app = CompositeResponder(parts: [links])
    #expect(await app.ask(.openURL("notes:1")).answer == .bool(true))
    #expect(await app.ask(.openURL("mail:1")).answer == .bool(false))
    #expect(await app.ask(.willPresentNotification(payload: "{}")).answer == .presentation([.banner]))
    #expect(await app.ask(.didFinishLaunching(LaunchOptions())).answer == .bool(true))
    #expect(await app.ask(.didReceiveRemoteNotification(payload: "{}")).answer == .fetch(.noData))
  }

  @Test("An error of the closure is a problem at its line of code, and the other parts still count")
  func failure() async {
    let line = #line + 1
    let failing = EventResponder(.openURL) { _ in throw Mishap() }
    let other = EventResponder(.openURL) { _ in .bool(true) }
    let response = await CompositeResponder(parts: [failing, other]).ask(.openURL("notes:1"))
    #expect(response.answer == .bool(true))
    #expect(response.problems.map(\.part) == ["app/EventResponderTests.swift:\(line)"])
  }
}

import AppBoot
import Testing

@testable import AppBootCommands

@Suite("The routing table")
struct RoutingTableTests {
  private let table: RoutingTable

  init() throws {
    table = RoutingTable(
      routes: [
        try Self.route("Note", url: "notes://note/{id}"),
        try Self.route("New", launch: [.quickAction], type: "new"),
        try Self.route("Edit", type: "edit"),
        try Self.route("Tapped", url: "notes://tap/*", launch: [.notification, .quickAction]),
        try Self.route("Inbox", launch: [.notification]),
        try Self.route("Welcome", launch: [.normal], firstLaunch: true),
      ], defaultScreen: "Home")
  }

  private static func route(
    _ screen: String, url: String? = nil, launch: [LaunchReason]? = nil, firstLaunch: Bool? = nil,
    type: String? = nil
  ) throws -> ScreenRoute {
    var route = ScreenRoute()
    route.screen = screen
    route.url = try url.map { text throws(URLPatternError) in try URLPattern(text) }
    route.launch = launch.map { OneOrMore($0) }
    route.firstLaunch = firstLaunch
    route.type = type
    return route
  }

  @Test("The first route whose conditions all hold is chosen, or the default")
  func chooses() {
    expect(LaunchOptions(), first: false, "Home", nil)
    expect(LaunchOptions(), first: true, "Welcome", 5)
    expect(LaunchOptions(reason: .notification), first: true, "Inbox", 4)
    expect(LaunchOptions(url: "notes://note/42"), first: true, "Note", 0, ["id": "42"])
    let tapped = LaunchOptions(reason: .quickAction, url: "notes://tap/1?a=b")
    expect(tapped, first: false, "Tapped", 3, ["query.a": "b"])
    expect(LaunchOptions(url: "notes://tap/1?a=b"), first: false, "Home", nil, ["query.a": "b"])
    expect(LaunchOptions(url: "notes://list"), first: true, "Home", nil)
    expect(LaunchOptions(url: "no URL at all"), first: false, "Home", nil)
  }

  @Test("A route with a type matches only quick actions and activities of this type")
  func types() {
    let new = #"{"type":"new"}"#
    expect(LaunchOptions(reason: .quickAction, payload: new), first: false, "New", 1)
    expect(LaunchOptions(reason: .quickAction, payload: #"{"type":"edit"}"#), first: false, "Edit", 2)
    expect(LaunchOptions(reason: .activity, payload: #"{"type":"edit"}"#), first: false, "Edit", 2)
    expect(LaunchOptions(reason: .activity, payload: new), first: false, "Home", nil)
    expect(LaunchOptions(reason: .activity), first: false, "Home", nil)
    expect(LaunchOptions(reason: .notification, payload: #"{"type":"edit"}"#), first: false, "Inbox", 4)
  }

  private func expect(
    _ options: LaunchOptions, first: Bool, _ screen: String, _ route: Int?, _ values: [String: String] = [:],
    _ location: Testing.SourceLocation = #_sourceLocation
  ) {
    let choice = table.choose(options, isFirstLaunch: first)
    let expected = RoutingTable.Choice(screen: screen, route: route, placeholders: values)
    #expect(choice == expected, sourceLocation: location)
  }
}

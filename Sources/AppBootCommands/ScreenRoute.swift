package import AppBoot

/// A route of `InitialScreen`. If all of its conditions hold, its screen is shown.
package struct ScreenRoute: ParameterGroup {
  /// The launch reasons for which the route is used; `nil` for all.
  @Parameter("The launch reason, or a list of them: normal, url, activity, quickAction, notification, ….")
  package var launch: OneOrMore<LaunchReason>?

  /// The type of the quick action or of the activity; `nil` for any type.
  @Parameter("The type of the quick action or of the activity, for example org.example.new-note.")
  package var type: String?

  /// The pattern that the launch's URL must match; `nil` for any launch, with or without a URL.
  @Parameter("A pattern that the URL must fit: \"notes://note/{id}\"; a trailing * matches any rest.")
  package var url: URLPattern?

  /// `true` to match only if no earlier launch succeeded, `false` only if one did, `nil` to match both.
  @Parameter("true: only if no earlier launch succeeded; false: only if one did.")
  package var firstLaunch: Bool?

  /// The name of the screen to show.
  @Parameter("The name of the screen to show.")
  package var screen: String

  /// Creates a route without conditions.
  package init() {}
}

extension ScreenRoute {
  /// Returns whether the conditions on the reason and on the first launch hold. The URL pattern and the type are not
  /// checked.
  func fits(_ reason: LaunchReason, isFirstLaunch: Bool) -> Bool {
    launch?.values.contains(reason) != false && (firstLaunch ?? isFirstLaunch) == isFirstLaunch
  }
}

/// The rule that picks the screen of a launch: the first route whose conditions all hold, or else the default screen.
struct RoutingTable {
  /// A screen, with the route that picked it.
  struct Choice: Sendable, Hashable {
    let screen: String
    /// The index of the route; `nil` if the screen is the default.
    let route: Int?
    /// The values of the placeholders in the route's URL pattern, and of `query.NAME` for each item of the URL's query.
    let placeholders: [String: String]
  }

  let routes: [ScreenRoute]
  let defaultScreen: String

  func choose(_ options: LaunchOptions, isFirstLaunch: Bool) -> Choice {
    let url = options.url.flatMap(URLParts.init)
    lazy var type = Self.type(of: options)
    for (index, route) in routes.enumerated() {
      guard route.fits(options.reason, isFirstLaunch: isFirstLaunch), route.type.map({ $0 == type }) ?? true
      else { continue }
      guard let pattern = route.url else {
        return Choice(screen: route.screen, route: index, placeholders: Self.query(of: url))
      }
      if let values = url.flatMap(pattern.match) {
        return Choice(screen: route.screen, route: index, placeholders: values)
      }
    }
    return Choice(screen: defaultScreen, route: nil, placeholders: Self.query(of: url))
  }

  /// Returns the type of the quick action or of the activity in launch options; `nil` without one.
  private static func type(of options: LaunchOptions) -> String? {
    guard options.reason == .quickAction || options.reason == .activity, let payload = options.payload,
      let document = try? JSONDocument(parsing: SourceText(name: "payload", text: payload))
    else { return nil }
    return document.root["type"]?.string
  }

  private static func query(of url: URLParts?) -> [String: String] {
    var values: [String: String] = [:]
    if let url {
      for (name, value) in url.query { values["query." + name] = value }
    }
    return values
  }
}

/// An index of a table's routes by screen. It finds the placeholders that may have no value when a screen is shown.
struct RouteIndex {
  private let table: RoutingTable
  /// The indices of the routes that a launch can take, by the screen's name.
  private let routes: [String: [Int]]
  /// True if a launch can take no route.
  private let usesDefault: Bool

  init(_ table: RoutingTable) {
    self.table = table
    var taken: Set<Int> = []
    var usesDefault = false
    for reason in LaunchReason.allCases {
      for isFirst in [true, false] {
        let fitting = table.routes.indices.filter { table.routes[$0].fits(reason, isFirstLaunch: isFirst) }
        // A route with neither a URL pattern nor a type always matches, so the routes after it are never used.
        let last = fitting.first { table.routes[$0].url == nil && table.routes[$0].type == nil }
        taken.formUnion(fitting.prefix { $0 <= last ?? .max })
        if last == nil { usesDefault = true }
      }
    }
    routes = Dictionary(grouping: taken.sorted()) { table.routes[$0].screen }
    self.usesDefault = usesDefault
  }

  /// Returns an error for each placeholder of a screen that has no value on at least one way to the screen.
  ///
  /// A screen that no launch shows has no errors, because only code can show it.
  func problems(with placeholders: [String], of screen: String) -> [PlaceholderError] {
    let ways = routes[screen] ?? []
    let isDefault = usesDefault && screen == table.defaultScreen
    guard isDefault || !ways.isEmpty else { return [] }
    let names = ways.map { Set(table.routes[$0].url?.names ?? []) }
    let known = Set(names.joined())
    lazy var all = Placeholders.Known.allCases.map(\.rawValue) + known.sorted()
    var unknown = 0
    return placeholders.filter { !Placeholders.mayHaveValue($0) }.compactMap { name in
      guard known.contains(name) else {
        defer { unknown += 1 }
        return .unknown(name, among: ClosestName(among: all, after: unknown), open: Placeholders.open)
      }
      let lacking = names.firstIndex { !$0.contains(name) }
      if let lacking { return .noValue(name, way: "routes[\(ways[lacking])] leads to it") }
      return isDefault ? .noValue(name, way: "the screen is the default") : nil
    }
  }
}

package import AppBoot

/// A route of `InitialScreen`. If all of its conditions hold, its screen is shown.
package struct ScreenRoute: ParameterGroup {
  /// The launch reasons for which the route is used; `nil` for all.
  @Parameter("The launch reason, or a list of them: normal, url, activity, quickAction, notification, ….")
  package var launch: OneOrMore<LaunchReason>?

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
  /// Returns whether the conditions on the reason and on the first launch hold. The URL pattern is not checked.
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
    for (index, route) in routes.enumerated() {
      guard route.fits(options.reason, isFirstLaunch: isFirstLaunch) else { continue }
      guard let pattern = route.url else {
        return Choice(screen: route.screen, route: index, placeholders: Self.query(of: url))
      }
      if let values = url.flatMap(pattern.match) {
        return Choice(screen: route.screen, route: index, placeholders: values)
      }
    }
    return Choice(screen: defaultScreen, route: nil, placeholders: Self.query(of: url))
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
  /// A launch reason, and whether the launch is the first one.
  private struct Situation {
    let reason: LaunchReason
    let isFirstLaunch: Bool
    /// The index of the first matching route without a URL pattern; `nil` if there is none. Later routes are never
    /// used.
    let last: Int?
  }

  private let table: RoutingTable
  /// The indices of the routes to each screen, by the screen's name.
  private let routes: [String: [Int]]
  private let situations: [Situation]

  init(_ table: RoutingTable) {
    self.table = table
    routes = Dictionary(grouping: table.routes.indices) { table.routes[$0].screen }
    situations = LaunchReason.allCases.flatMap { reason in
      [true, false].map { isFirst in
        let last = table.routes.firstIndex { $0.url == nil && $0.fits(reason, isFirstLaunch: isFirst) }
        return Situation(reason: reason, isFirstLaunch: isFirst, last: last)
      }
    }
  }

  /// Returns the routes to a screen.
  func routes(to screen: String) -> ScreenRoutes {
    let own = (routes[screen] ?? []).map {
      ScreenRoutes.Route(index: $0, names: table.routes[$0].url?.names ?? [])
    }
    return ScreenRoutes(own, isDefault: screen == table.defaultScreen, in: self)
  }

  /// Describes a launch that shows the screen by one of the given routes, or as the default screen.
  ///
  /// Returns `nil` if no launch does this. Every pair of a reason and a first or later launch is considered. A URL
  /// pattern may match or not.
  ///
  /// - Parameter lacking: The indices of the routes that have no value for a placeholder.
  fileprivate func way(by lacking: some Collection<Int>, isDefault: Bool) -> String? {
    // Most screens are led to by patterns that have what they show: every launch asks, and need not look further.
    guard isDefault || !lacking.isEmpty else { return nil }
    for situation in situations {
      let route = lacking.first {
        table.routes[$0].fits(situation.reason, isFirstLaunch: situation.isFirstLaunch)
      }
      if let route, route <= situation.last ?? .max { return "routes[\(route)] leads to it" }
      if situation.last == nil, isDefault { return "the screen is the default" }
    }
    return nil
  }
}

/// The routes to one screen.
struct ScreenRoutes {
  /// A route, with the names of the placeholders in its URL pattern.
  fileprivate struct Route {
    let index: Int
    let names: [String]
  }

  private let index: RouteIndex
  private let routes: [Route]
  private let isDefault: Bool
  /// The number of routes whose URL patterns contain a placeholder, by the placeholder's name.
  private lazy var counts = Dictionary(routes.flatMap { Set($0.names) }.map { ($0, 1) }, uniquingKeysWith: +)
  private lazy var search = NameSearch(
    among: Placeholders.Known.allCases.map(\.rawValue) + counts.keys.sorted())
  /// A description of a launch that shows the screen; `nil` if no launch shows it.
  private lazy var wayWithoutNames = index.way(by: routes.map(\.index), isDefault: isDefault)

  fileprivate init(_ routes: [Route], isDefault: Bool, in index: RouteIndex) {
    (self.routes, self.isDefault, self.index) = (routes, isDefault, index)
  }

  /// Returns an error for each placeholder that has no value on at least one route to the screen.
  ///
  /// A screen without a route has no errors, because only code can show it.
  mutating func problems(with placeholders: [String]) -> [PlaceholderError] {
    placeholders.compactMap { name in
      guard !Placeholders.mayHaveValue(name) else { return nil }
      if let count = counts[name] {
        return way(without: name, count: count).map { .noValue(name, way: $0) }
      }
      guard wayWithoutNames != nil else { return nil }
      return .unknown(name, among: &search, open: Placeholders.open)
    }
  }

  private func way(without name: String, count: Int) -> String? {
    if count == routes.count, !isDefault { return nil }
    guard count < routes.count else { return index.way(by: [], isDefault: isDefault) }
    // The first one is mostly enough.
    let lacking = routes.lazy.filter { !$0.names.contains(name) }.map(\.index)
    return index.way(by: lacking, isDefault: isDefault)
  }
}

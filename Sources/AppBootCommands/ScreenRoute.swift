package import AppBoot

/// A route of `InitialScreen`: if all of its conditions hold, its screen is shown.
package struct ScreenRoute: ParameterGroup {
  /// The launch reasons it is for; `nil` for any.
  @Parameter("The launch reason, or a list of them: normal, url, activity, quickAction, notification, ….")
  package var launch: LaunchReasons?

  /// The pattern that the launch's URL must fit; `nil` for any launch.
  @Parameter("A pattern that the URL must fit: \"notes://note/{id}\"; a trailing * matches any rest.")
  package var url: URLPattern?

  /// `true` for first launches only, `false` for later ones only; `nil` for both.
  @Parameter("true: only if no earlier launch succeeded; false: only if one did.")
  package var firstLaunch: Bool?

  /// The screen to show.
  @Parameter("The name of the screen to show.")
  package var screen: String

  /// Creates a route without conditions.
  package init() {}
}

extension ScreenRoute {
  /// Returns whether all conditions hold; ignores the URL pattern.
  func fits(_ reason: LaunchReason, isFirstLaunch: Bool) -> Bool {
    launch?.values.contains(reason) != false && (firstLaunch ?? isFirstLaunch) == isFirstLaunch
  }

  /// Returns whether the route leads to the screen, but its URL pattern has no value for the placeholder.
  func leads(to screen: String, without name: String) -> Bool {
    self.screen == screen && url?.names.contains(name) != true
  }
}

/// Launch reasons, written as one string or a list.
package struct LaunchReasons: Sendable, Hashable, Decodable {
  /// The reasons.
  package let values: [LaunchReason]

  /// Creates a list of reasons.
  package init(_ values: [LaunchReason]) {
    self.values = values
  }

  /// Decodes one reason or a list.
  ///
  /// - Throws: `DecodingError`, also for an empty list.
  package init(from decoder: any Decoder) throws {
    if let list = try? [LaunchReason](from: decoder) {
      values = list
      if list.isEmpty {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "name at least one launch reason"))
      }
    } else {
      values = [try LaunchReason(from: decoder)]
    }
  }
}

/// The rule that picks the screen of a launch: the first route whose conditions all hold, or else the default.
struct RoutingTable {
  /// A screen and the route that picked it.
  struct Choice: Sendable, Hashable {
    let screen: String
    /// The index of the route; `nil` for the default.
    let route: Int?
    /// The placeholders of the route's URL pattern.
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

  /// Returns an error for each placeholder that has no value on at least one route to the screen.
  ///
  /// A screen without a route has no errors, because code may show it.
  func problems(with placeholders: [String], on screen: String) -> [PlaceholderError] {
    placeholders.compactMap { name in
      guard !Placeholders.mayHaveValue(name), let way = way(to: screen, without: name) else { return nil }
      let names = routes.filter { $0.screen == screen }.flatMap { $0.url?.names ?? [] }
      if names.contains(name) { return .noValue(name, way: way) }
      return .unknown(
        name, among: Placeholders.Known.allCases.map(\.rawValue) + Set(names).sorted(),
        open: Placeholders.open)
    }
  }

  /// Describes a route to a screen without a value for a placeholder; `nil` if there is none.
  ///
  /// A pattern may fit a URL or not; everything else is decided by the reason and by whether the launch is the first.
  private func way(to screen: String, without name: String) -> String? {
    // Most screens are led to by patterns that have what they show: every launch asks, and need not look further.
    guard screen == defaultScreen || routes.contains(where: { $0.leads(to: screen, without: name) }) else {
      return nil
    }
    for reason in LaunchReason.allCases {
      for isFirstLaunch in [true, false] {
        var isDecided = false
        for (index, route) in routes.enumerated() where route.fits(reason, isFirstLaunch: isFirstLaunch) {
          if route.leads(to: screen, without: name) {
            return "routes[\(index)] leads to it"
          }
          isDecided = route.url == nil
          if isDecided { break }
        }
        if !isDecided, screen == defaultScreen { return "the screen is the default" }
      }
    }
    return nil
  }

  private static func query(of url: URLParts?) -> [String: String] {
    var values: [String: String] = [:]
    if let url {
      for (name, value) in url.query { values["query." + name] = value }
    }
    return values
  }
}

extension LaunchReasons: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema {
    let names = ParameterSchema.enumeration(LaunchReason.allCases.map(\.rawValue))
    return .anyOf([names, .nonEmpty(.array(names))])
  }
}

public import AppBoot
package import AppBootLifecycle
import AppBootSystem

/// A command that picks the app's first screen with a table of routes, and shows it on the window.
public struct InitialScreen: Command {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "InitialScreen"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Picks the first screen by a table of routes, and shows it on the window.",
    discussion: """
      The first route whose conditions all hold names the screen. If no route fits, the default screen is \
      shown. A URL pattern compares scheme, host and the segments of the path. {name} takes one segment, \
      percent-decoded, and a trailing * takes all further ones.

      Title and text may contain placeholders. {name} comes from the URL pattern, {query.NAME} from the URL's \
      query and {env.NAME} from the environment. {launch.reason}, {launch.url} and {launch.payload} describe \
      the launch, and {screen} is the screen's name. {context.theme}, {context.accent} and {context.NAME} are \
      values that earlier commands provided. {{ and }} are literal braces. A {name} without a value on one of \
      the screen's routes is an error before the launch, and so is a {context.NAME} before the command that \
      provides it.

      Later commands read the screen from the context as "screen". With a window, the event \
      didShowFirstScreen follows. Without "screens", each name is an empty screen with that title.
      """,
    example: """
      { "command": "InitialScreen", "with": {
        "default": "Home",
        "routes": [{ "url": "notes://note/{id}", "screen": "Note" }],
        "screens": { "Home": { "title": "Notes" }, "Note": { "title": "Note {id}" } }
      } }
      """,
    lane: .main,
    provides: .screen,
    replacesVariables: false)

  /// The name of the screen to show if no route matches.
  @Parameter("The name of the screen to show if no route fits.")
  package var `default`: String

  /// The routes to the screens. The first route whose conditions all hold is used.
  @Parameter("The routes to the screens: the first one whose conditions all hold is used.")
  package var routes: [ScreenRoute] = []

  /// True to show the screen in place of all others. By default it goes on top if the window shows a screen.
  @Parameter("true: the screen replaces all others; by default it goes on top of them.")
  package var replaces: Bool = false

  /// The contents of the screens, by name.
  @Parameter("The screens by name, each with \"title\", and \"text\" or \"file\".")
  package var screens: [String: ScreenDefinition] = [:]

  /// Creates the command without screens.
  public init() {}

  /// Rejects names of screens that do not exist. Rejects placeholders in their texts, as in `{id}`, that have no value.
  public func validate(_ validation: inout ParameterValidation) {
    lazy var names = screens.keys.sorted()
    if let problem = problem(with: self.default, among: names) { validation.reject(problem, at: "default") }
    var found = 0
    for (index, route) in routes.enumerated() {
      guard let problem = problem(with: route.screen, among: names, after: found) else { continue }
      found += 1
      validation.reject(problem, at: "routes", .index(index), "screen")
    }
    guard validation.isReadable("default"), validation.isReadable("routes") else { return }
    validatePlaceholders(&validation)
  }

  /// Rejects placeholders that have no value on one of the routes to their screen.
  private func validatePlaceholders(_ validation: inout ParameterValidation) {
    // Most screens have no placeholders, and need no routes.
    lazy var index = RouteIndex(RoutingTable(routes: routes, defaultScreen: self.default))
    for name in screens.keys.sorted() {
      func validate(_ text: String?, at key: String) {
        guard let text, text.utf8.contains(UInt8(ascii: "{")), let template = try? Template(text) else {
          return
        }
        validation.requireValues(of: template, at: "screens", .key(name), .key(key))
        for problem in index.problems(with: template.placeholders, of: name) {
          validation.reject(problem.description, at: "screens", .key(name), .key(key))
        }
      }
      validate(screens[name]?.title, at: "title")
      validate(screens[name]?.text?.text, at: "text")
    }
  }

  /// - Parameters:
  ///   - names: The names of all screens.
  ///   - found: The number of the problems before this one.
  private func problem(
    with screen: String, among names: @autoclosure () -> [String], after found: Int = 0
  ) -> String? {
    do throws(InitialScreenError) {
      _ = try definition(of: screen, among: names(), after: found)
      return nil
    } catch {
      return error.description
    }
  }

  /// Picks a screen and shows it.
  ///
  /// - Throws: `InitialScreenError`, `PlaceholderError` or `TemplateError`; the window's error.
  public func execute(in context: LaunchContext) throws {
    let choice = choice(in: context)
    let screen = try screen(for: choice, in: context)
    if let window = context.window {
      if replaces { try window.show(Navigation(screen)) } else { try window.show(screen) }
      try context.emit(.didShowFirstScreen, payload: screen.name)
    }
    context.provide(screen, for: .screen)
    context.note([screen.name, reason(of: choice, hasWindow: context.window != nil)].joined())
  }

  private func choice(in context: LaunchContext) -> RoutingTable.Choice {
    RoutingTable(routes: routes, defaultScreen: self.default)
      .choose(context.launch, isFirstLaunch: context.isFirstLaunch)
  }

  private func reason(of choice: RoutingTable.Choice, hasWindow: Bool) -> String {
    let pattern = choice.route.flatMap { routes[$0].url?.text }
    let route = choice.route.map { pattern ?? "route \($0 + 1)" }
    return (route.map { ", by \($0)" } ?? "") + (hasWindow ? "" : ", without a window")
  }

  private func screen(for choice: RoutingTable.Choice, in context: LaunchContext) throws -> AppScreen {
    let definition = try definition(of: choice.screen, among: screens.keys.sorted())
    let placeholders = placeholders(for: choice, in: context)
    let title = try Template(definition.title ?? choice.screen.escapingBraces)
    return AppScreen(
      name: choice.screen, title: try title.filled(placeholders.value),
      text: try Template(text(of: definition, in: context)).filled(placeholders.value),
      parameters: choice.placeholders)
  }

  /// Returns the definition of a screen.
  private func definition(
    of name: String, among names: @autoclosure () -> [String], after found: Int = 0
  ) throws(InitialScreenError) -> ScreenDefinition {
    if let definition = screens[name] { return definition }
    guard !screens.isEmpty else { return ScreenDefinition() }
    let search = ClosestName(among: names(), after: found)
    throw .unknownScreen(name, suggestion: search.match(for: name), known: search.list(for: name))
  }

  private func text(of definition: ScreenDefinition, in context: LaunchContext) throws -> String {
    guard let file = definition.file else { return definition.text?.text ?? "" }
    do {
      let bytes = try FileSystem.readFile(FileSystem.join(context.directory, file), waitsForPipe: false)
      return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    } catch {
      throw InitialScreenError.unreadableFile(file, reason: error.description)
    }
  }

  private func placeholders(for choice: RoutingTable.Choice, in context: LaunchContext) -> Placeholders {
    var values: [String: String] = [:]
    if let appearance = context.value(for: .appearance) { values = Placeholders.values(of: appearance) }
    values.merge(Placeholders.values(of: context.launch, screen: choice.screen)) { _, ofLaunch in ofLaunch }
    values.merge(choice.placeholders) { _, fromURL in fromURL }
    return Placeholders(values: values, of: context)
  }
}

extension InitialScreen: RoutingCommand {
  /// Returns the screen of the first matching route; `nil` if no route matches, with or without a default screen.
  ///
  /// - Throws: `InitialScreenError`, `PlaceholderError` or `TemplateError`.
  package func route(in context: LaunchContext) throws -> AppScreen? {
    let choice = choice(in: context)
    return choice.route == nil ? nil : try screen(for: choice, in: context)
  }
}

/// An error that prevents a screen from being shown.
enum InitialScreenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No screen has this name.
  case unknownScreen(String, suggestion: String?, known: NameList)
  /// The file with a screen's text cannot be read. `reason` is the system's message.
  case unreadableFile(String, reason: String)

  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .unknownScreen(let name, let suggestion, let known):
      let hint = suggestion.map { "did you mean \"\($0.excerpt)\"? " } ?? ""
      return "there is no screen \"\(name.excerpt)\": \(hint)\"screens\" has \(known.text { "\"\($0)\"" })"
    case .unreadableFile(let file, let reason):
      return "the text of the screen: \(reason)"
        + (file.hasPrefix("/") ? "" : "; \"\(file)\" is relative to the manifest's directory")
    }
  }
}

extension String {
  /// The text with its braces doubled.
  fileprivate var escapingBraces: String {
    reduce(into: "") { $0 += $1 == "{" || $1 == "}" ? "\($1)\($1)" : "\($1)" }
  }
}

/// The content of a screen. Its title and its text may hold `{placeholders}`.
package struct ScreenDefinition: ParameterGroup {
  /// The heading; `nil` to use the screen's name.
  @Parameter("The heading; by default the screen's name. May hold {placeholders}.")
  package var title: String?

  /// The text; `nil` if the screen has none, or if a file has it.
  @Parameter("The text: a string, or a list of lines. May hold {placeholders}.")
  package var text: ScreenText?

  /// The path of a file with the text; `nil` if there is no file.
  @Parameter("A file with the text instead, relative to the manifest's directory.")
  package var file: String?

  /// Creates an empty screen.
  package init() {}

  /// Rejects a screen with both a text and a file, and texts with unmatched or empty braces.
  package func validate(_ validation: inout ParameterValidation) {
    if text != nil, file != nil {
      validation.reject("a screen has a \"text\" or a \"file\", not both", at: "file")
    }
    if file?.utf8.contains(0) == true {
      validation.reject("must not contain a zero byte", at: "file")
    }
    for problem in Template.problems(in: title) { validation.reject(problem.description, at: "title") }
    for problem in Template.problems(in: text?.text) { validation.reject(problem.description, at: "text") }
  }
}

/// A text that a manifest writes as a string or as a list of lines.
package struct ScreenText: Sendable, Hashable {
  /// The lines, joined by line feeds.
  package let text: String

  /// Creates a text.
  package init(_ text: String) {
    self.text = text
  }
}

extension ScreenText: ParameterValue {
  /// A string, or a list of strings that are the lines.
  package static var parameterType: ParameterType<ScreenText> {
    ParameterType(.anyOf([.string, .array(.string)]), placeholder: ScreenText("")) { json, reader in
      let lines =
        json.kind == .array ? [String].parameterType.read(json, &reader) : reader.text(json).map { [$0] }
      return lines.map { ScreenText($0.joined(separator: "\n")) }
    }
  }
}

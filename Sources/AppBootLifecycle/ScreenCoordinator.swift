public import AppBoot
import AppBootSystem

/// A coordinator that decides which screens one window shows. Screens do not know each other.
///
/// Each coordinator has one flow: a stack of screens, the screens presented over it, and its child flows. The window
/// receives all screens after each change. If the user goes back or dismisses a stack on the window, the coordinator
/// removes these screens.
///
/// A stack holds its first screen and the 99 newest ones: if a screen is pushed on 100, the oldest one above the first
/// is removed.
///
/// The coordinator is an ``AppWindow``. If a command shows a screen on it, the screen becomes the first one on a cold
/// start, and goes on top if the app was running. If the window fails to show a screen, the coordinator keeps its
/// previous state.
public final class ScreenCoordinator: AppWindow {
  /// A function that returns the screen for a request; `nil` if no route matches.
  package typealias Routes = @Sendable (LaunchOptions) throws -> AppScreen?

  /// The name of the flow.
  public let name: String
  private let core: Core
  private let path: [String]
  /// True if a screen that is visible is not shown again.
  private let skipsVisible: Bool

  /// Creates the coordinator of a window.
  ///
  /// - Parameters:
  ///   - routes: A function that returns the screen for a request; `nil` if no route matches.
  ///   - onChange: A function that is called with all screens after each change, when the window has shown it.
  public convenience init(
    name: String = "main", window: any AppWindow,
    routes: @escaping @Sendable (LaunchOptions) throws -> AppScreen? = { _ in nil },
    onChange: @escaping @Sendable ([AppScreen]) -> Void = { _ in }
  ) {
    let core = Core(flow: ScreenFlow(name: name), window: window, routes: routes, onChange: onChange)
    self.init(name: name, core: core, path: [])
  }

  private init(name: String, core: Core, path: [String], skipsVisible: Bool = false) {
    self.name = name
    self.core = core
    self.path = path
    self.skipsVisible = skipsVisible
  }

  /// The coordinator for the handlers of a repeated event. It does not show a screen that is already visible.
  var forRepeatedEvents: ScreenCoordinator {
    ScreenCoordinator(name: name, core: core, path: path, skipsVisible: true)
  }

  /// The flow of this coordinator with its child flows. A finished flow has no screens.
  package var flow: ScreenFlow { core.flow.flow(at: path[...]) ?? ScreenFlow(name: name) }

  /// All screens of this flow and its child flows, from bottom to top. The last one is visible if no other flow covers
  /// it.
  public var screens: [AppScreen] { flow.screens }

  // MARK: - Screens

  /// Shows the first screen.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func start(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.start(core.item(screen)) }
  }

  /// Pushes a screen on top of this flow's screens. ``pop()`` removes it.
  ///
  /// A child flow that is shown above this flow still covers the new screen.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func push(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.push(core.item(screen)) }
  }

  /// Removes the screen that was pushed last.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func pop() throws { try change { flow throws(ScreenError) in try flow.pop() } }

  /// Presents a screen over all others of the coordinator's flow. ``dismiss()`` removes it, and all screens pushed on
  /// it.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func present(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.present(core.item(screen)) }
  }

  /// Removes the screen that was presented last, with all screens pushed on it.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func dismiss() throws { try change { flow throws(ScreenError) in try flow.dismiss() } }

  /// Returns to the first screen of this flow and finishes all child flows.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func popToRoot() throws { try change { flow throws(ScreenError) in try flow.popToRoot() } }

  /// Shows the screen for a URL, an activity, a quick action or a notification, as ``show(_:)`` does.
  ///
  /// - Throws: ``ScreenError/noRoute(_:)``; errors of the routes and the window.
  public func open(_ request: LaunchOptions) throws {
    guard let screen = try core.routes(request) else {
      throw ScreenError.noRoute(request.url ?? "a launch by \(request.reason.rawValue)")
    }
    try show(screen)
  }

  // MARK: - Children

  /// Adds a child flow on the same window, and returns its coordinator. It shows nothing until it is started.
  ///
  /// If the user leaves the child's first screen by going back or by dismissal, the child flow is finished.
  ///
  /// - Parameter isPresented: True to present the child's screens over this flow, instead of pushing them.
  /// - Throws: ``ScreenError/duplicateChild(_:)`` and other cases of ``ScreenError``.
  public func addChild(_ name: String, isPresented: Bool = false) throws -> ScreenCoordinator {
    try change { flow throws(ScreenError) in
      guard !flow.children.contains(where: { $0.name == name }) else { throw .duplicateChild(name) }
      flow.children.append(ScreenFlow(name: name, isPresented: isPresented))
    }
    return ScreenCoordinator(name: name, core: core, path: path + [name])
  }

  /// Ends this flow and its child flows, and removes their screens. The window then shows the screen below.
  ///
  /// Only a child flow can be finished: the coordinator of the root flow throws.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func finish() throws {
    guard let own = path.last else { throw ScreenError.notAChild(flow: name) }
    try core.change(at: path.dropLast()) { parent throws(ScreenError) in
      guard parent.children.contains(where: { $0.name == own }) else { throw .finished(flow: own) }
      parent.children.removeAll { $0.name == own }
    }
  }

  /// Returns the coordinator of a child flow that exists, for example after a restoration; `nil` if there is none.
  public func child(_ name: String) -> ScreenCoordinator? {
    guard flow.children.contains(where: { $0.name == name }) else { return nil }
    return ScreenCoordinator(name: name, core: core, path: path + [name])
  }

  // MARK: - Restoration

  /// The screens of this flow and its child flows as JSON, for ``restore(_:)``.
  public var restorationData: String { flow.json }

  /// Replaces all screens of this flow by those in `data`, which was saved from ``restorationData``.
  ///
  /// If `data` has no screens, the window keeps its screen.
  ///
  /// - Throws: ``RestorationError`` if the data is invalid; ``ScreenError``; errors of the window.
  public func restore(_ data: String) throws {
    let saved = try ScreenFlow(json: data, name: name, item: core.item)
    try change { flow throws(ScreenError) in flow = saved }
  }

  // MARK: - The window

  /// Shows a screen. It becomes the first screen if the flow has none.
  ///
  /// Otherwise it goes on top of all screens of the flow, including those of child flows.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func show(_ screen: AppScreen) throws {
    if skipsVisible, flow.visible == screen { return }
    try change { flow throws(ScreenError) in try flow.show(core.item(screen)) }
  }

  /// Replaces all screens of this flow, and finishes its child flows.
  ///
  /// - Throws: ``ScreenError``; errors of the window.
  public func show(_ navigation: Navigation) throws {
    let items = navigation.stacks.map { $0.map { core.item($0.screen) } }
    try change { flow throws(ScreenError) in
      flow.layers = items
      flow.children = []
    }
  }

  /// Runs work after the window has drawn its current screens.
  public func afterNextFrame(_ work: @escaping @Sendable () -> Void) { core.window.afterNextFrame(work) }

  /// Sets the theme and the accent colour of the window.
  public func apply(_ appearance: WindowAppearance) { core.window.apply(appearance) }

  /// Returns the system's theme for the window; `nil` if the window does not know it.
  public func systemTheme() -> AppTheme? { core.window.systemTheme() }

  private func change(_ body: (inout ScreenFlow) throws(ScreenError) -> Void) throws {
    try core.change(at: path[...], body)
  }
}

extension ScreenCoordinator {
  /// The state that the coordinators of one window share.
  private final class Core: Sendable {
    struct Contents: Sendable {
      var flow: ScreenFlow
      var isChanging = false
      /// The items that the user has left during a change.
      var left: Set<Int> = []
    }

    let window: any AppWindow
    let routes: Routes
    private let contents: Lock<Contents>
    private let onChange: @Sendable ([AppScreen]) -> Void
    /// The number of the newest item.
    private let items = Lock(0)

    init(
      flow: ScreenFlow, window: any AppWindow, routes: @escaping Routes,
      onChange: @escaping @Sendable ([AppScreen]) -> Void
    ) {
      contents = Lock(Contents(flow: flow))
      self.window = window
      self.routes = routes
      self.onChange = onChange
      window.reportNavigation { [weak self] in self?.userNavigated(to: $0) }
    }

    /// Returns an item for a screen, with a number of its own.
    func item(_ screen: AppScreen) -> Navigation.Item {
      let number = items.withLock { number in
        number += 1
        return number
      }
      return Navigation.Item(id: number, screen: screen)
    }

    /// Removes the screens that the user has left on the window.
    private func userNavigated(to navigation: Navigation) {
      let kept = Set(navigation.stacks.joined().map(\.id))
      let screens = contents.withLock { contents -> [AppScreen]? in
        let left = Set(contents.flow.navigation.stacks.joined().map(\.id)).subtracting(kept)
        if contents.isChanging { contents.left.formUnion(left) }
        guard !contents.isChanging, !left.isEmpty else { return nil }
        contents.flow.remove(left)
        return contents.flow.screens
      }
      if let screens { onChange(screens) }
    }

    var flow: ScreenFlow { contents.withLock { $0.flow } }

    /// Changes the flow at a path of child names. If the screens change, shows them on the window.
    ///
    /// If the change or the window throws an error, all flows stay as they were.
    func change(
      at path: ArraySlice<String>, _ body: (inout ScreenFlow) throws(ScreenError) -> Void
    ) throws {
      let before = try claim()
      var after = before
      do {
        try after.change(at: path, body)
        let navigation = after.navigation
        if navigation.visible != nil, navigation != before.navigation { try window.show(navigation) }
      } catch {
        release(keeping: before)
        throw error
      }
      onChange(release(keeping: after))
    }

    private func claim() throws(ScreenError) -> ScreenFlow {
      try contents.withLock { contents throws(ScreenError) in
        guard !contents.isChanging else { throw .busy(flow: contents.flow.name) }
        contents.isChanging = true
        return contents.flow
      }
    }

    /// Ends a change, and returns the screens without those that the user has left meanwhile.
    @discardableResult
    private func release(keeping flow: ScreenFlow) -> [AppScreen] {
      contents.withLock { contents in
        let left = contents.left
        contents = Contents(flow: flow)
        contents.flow.remove(left)
        return contents.flow.screens
      }
    }
  }
}

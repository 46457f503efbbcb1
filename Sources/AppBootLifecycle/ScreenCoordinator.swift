public import AppBoot
import AppBootSystem

/// Owns what is on a window: screens know nothing of each other, the coordinator says which follows.
///
/// It is a ``AppWindow`` itself: a command that shows a screen on it starts it where it has none (a cold start), and
/// goes on top where it has (the app was running). A change that the window refuses to show does not happen.
public final class ScreenCoordinator: AppWindow {
  /// Picks the screen that a URL or another reason leads to; `nil` where there is none.
  public typealias Routes = @Sendable (LaunchOptions) throws -> AppScreen?

  /// The flow's name.
  public let name: String
  private let core: Core
  private let path: [String]

  /// Creates the coordinator of a window.
  ///
  /// - Parameter onChange: Hears of every change, after the window has shown it.
  public convenience init(
    name: String = "main", window: any AppWindow, routes: @escaping Routes = { _ in nil },
    onChange: @escaping @Sendable (ScreenFlow) -> Void = { _ in }
  ) {
    let core = Core(flow: ScreenFlow(name: name), window: window, routes: routes, onChange: onChange)
    self.init(name: name, core: core, path: [])
  }

  private init(name: String, core: Core, path: [String]) {
    self.name = name
    self.core = core
    self.path = path
  }

  /// The screens of this flow and its children; a finished one has none.
  public var flow: ScreenFlow { core.flow.flow(at: path[...]) ?? ScreenFlow(name: name) }

  /// What the next screen would be: the first one, or one on top.
  public var placement: ScreenPlacement { flow.visible == nil ? .first : .onTop }

  // MARK: - Screens

  /// Shows the first screen.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func start(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.start(screen) }
  }

  /// Puts a screen on top of this flow's own, from which ``pop()`` leads back; a child that is on top stays there.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func push(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.push(screen) }
  }

  /// Goes back from what was pushed last.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func pop() throws { try change { flow throws(ScreenError) in try flow.pop() } }

  /// Shows a screen over everything, which ``dismiss()`` takes away with all that was pushed on it.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func present(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.present(screen) }
  }

  /// Takes away what was presented last.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func dismiss() throws { try change { flow throws(ScreenError) in try flow.dismiss() } }

  /// Goes back to the first screen; children are finished.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func popToRoot() throws { try change { flow throws(ScreenError) in try flow.popToRoot() } }

  /// Shows where a URL, an activity, a quick action or a notification leads: first, or on top of what is there.
  ///
  /// - Throws: ``ScreenError/noRoute(_:)``; what the routes and the window throw.
  @discardableResult
  public func open(_ request: LaunchOptions) throws -> ScreenPlacement {
    guard let screen = try core.routes(request) else {
      throw ScreenError.noRoute(request.url ?? "a launch by \(request.reason.rawValue)")
    }
    let placement = placement
    try show(screen)
    return placement
  }

  // MARK: - Children

  /// Adds a flow of its own on top, on the same window; it shows nothing until it is started.
  ///
  /// - Throws: ``ScreenError/doubledChild(_:)``.
  public func addChild(_ name: String) throws -> ScreenCoordinator {
    try change { flow throws(ScreenError) in
      guard !flow.children.contains(where: { $0.name == name }) else { throw .doubledChild(name) }
      flow.children.append(ScreenFlow(name: name))
    }
    return ScreenCoordinator(name: name, core: core, path: path + [name])
  }

  /// Ends this flow, with its children: the window shows what is below.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func finish() throws {
    guard let own = path.last else { throw ScreenError.notAChild(flow: name) }
    try core.change(at: path.dropLast()) { parent throws(ScreenError) in
      guard parent.children.contains(where: { $0.name == own }) else { throw .finished(flow: own) }
      parent.children.removeAll { $0.name == own }
    }
  }

  /// The coordinator of a child that is there, after a restoration for instance.
  public func child(_ name: String) -> ScreenCoordinator? {
    guard flow.children.contains(where: { $0.name == name }) else { return nil }
    return ScreenCoordinator(name: name, core: core, path: path + [name])
  }

  // MARK: - Restoration

  /// All screens of this flow and its children as JSON, for ``restore(_:)``.
  public var restorationData: String { flow.json }

  /// Shows what was kept by ``restorationData``, in place of everything that is there; of nothing, the window keeps its screen.
  ///
  /// - Throws: ``RestorationError``; what the window throws.
  public func restore(_ data: String) throws {
    let kept = try ScreenFlow(json: data, name: name)
    try change { flow throws(ScreenError) in flow = kept }
  }

  // MARK: - The window

  /// Starts where nothing is shown, and else goes on top of it, also of a child's screens.
  ///
  /// - Throws: ``ScreenError``; what the window throws.
  public func show(_ screen: AppScreen) throws {
    try change { flow throws(ScreenError) in try flow.show(screen) }
  }

  /// Sets theme and accent of the window.
  public func apply(_ appearance: WindowAppearance) { core.window.apply(appearance) }

  /// What the window's system says of light and dark.
  public func systemTheme() -> AppTheme? { core.window.systemTheme() }

  private func change(_ body: (inout ScreenFlow) throws(ScreenError) -> Void) throws {
    try core.change(at: path[...], body)
  }
}

/// Where a screen goes.
public enum ScreenPlacement: Sendable, Hashable, CaseIterable {
  /// It is the first one: the app or the scene starts with it.
  case first
  /// It goes on top of what is there: the app was running.
  case onTop
}

extension ScreenCoordinator {
  /// What the coordinators of one window share.
  private final class Core: Sendable {
    struct Contents: Sendable {
      var flow: ScreenFlow
      var isChanging = false
    }

    let window: any AppWindow
    let routes: Routes
    private let contents: Lock<Contents>
    private let onChange: @Sendable (ScreenFlow) -> Void

    init(
      flow: ScreenFlow, window: any AppWindow, routes: @escaping Routes,
      onChange: @escaping @Sendable (ScreenFlow) -> Void
    ) {
      contents = Lock(Contents(flow: flow))
      self.window = window
      self.routes = routes
      self.onChange = onChange
    }

    var flow: ScreenFlow { contents.withLock { $0.flow } }

    /// Changes a copy, shows it, and keeps it once it is shown.
    func change(
      at path: ArraySlice<String>, _ body: (inout ScreenFlow) throws(ScreenError) -> Void
    ) throws {
      let before = try claim()
      var after = before
      do {
        try after.change(at: path, body)
        if let screen = after.visible, screen != before.visible { try window.show(screen) }
      } catch {
        release(keeping: before)
        throw error
      }
      release(keeping: after)
      onChange(after)
    }

    private func claim() throws(ScreenError) -> ScreenFlow {
      try contents.withLock { contents throws(ScreenError) in
        guard !contents.isChanging else { throw .busy(flow: contents.flow.name) }
        contents.isChanging = true
        return contents.flow
      }
    }

    private func release(keeping flow: ScreenFlow) {
      contents.withLock { $0 = Contents(flow: flow) }
    }
  }
}

public import AppBootLifecycle
import AppBootSystem

/// A window that displays nothing and records its calls. A test can act as its user.
public final class RecordingWindow: AppWindow {
  /// A call to the window.
  package enum Call: Sendable, Hashable {
    /// A call of `apply(_:)`.
    case apply(WindowAppearance)
    /// A call of `show(_:)`.
    case show(Navigation)
  }

  private struct State: Sendable {
    var navigation = Navigation(stacks: [])
    var report: @Sendable (Navigation) -> Void = { _ in }
    /// The work that waits for the next frame.
    var work: [@Sendable () -> Void] = []
  }

  private let log = Lock<[Call]>([])
  private let theme: AppTheme?
  private let refusal: (any Error)?
  private let drawsAtOnce: Bool
  private let state = Lock(State())

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - systemTheme: The result of `systemTheme()`.
  ///   - error: The error that `show(_:)` throws; `nil` to throw none.
  ///   - drawsAtOnce: False to let the work after a frame wait until ``drawFrame()`` is called.
  public init(
    systemTheme: AppTheme? = nil, refusing error: (any Error)? = nil, drawsAtOnce: Bool = true
  ) {
    self.drawsAtOnce = drawsAtOnce
    theme = systemTheme
    refusal = error
  }

  /// The calls so far, oldest first.
  package var calls: [Call] { log.withLock(\.self) }

  /// The screens that became visible by calls of `show(_:)`, oldest first.
  public var screens: [AppScreen] {
    let items = calls.compactMap { if case .show(let navigation) = $0 { navigation.visible } else { nil } }
    return zip(items, [nil] + items).compactMap { $0 == $1 ? nil : $0.screen }
  }

  /// All screens that the window shows now, in stacks.
  public var navigation: Navigation { state.withLock { $0.navigation } }

  /// Records the appearance.
  public func apply(_ appearance: WindowAppearance) {
    log.withLock { $0.append(.apply(appearance)) }
  }

  /// Records the navigation, or throws the error that was passed to `init`.
  public func show(_ navigation: Navigation) throws {
    if let refusal { throw refusal }
    log.withLock { $0.append(.show(navigation)) }
    state.withLock { $0.navigation = navigation }
  }

  /// Stores the function that ``goBack()`` and ``dismiss()`` call.
  public func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Runs the work, or stores it for ``drawFrame()``.
  public func afterNextFrame(_ work: @escaping @Sendable () -> Void) {
    if drawsAtOnce { return work() }
    state.withLock { $0.work.append(work) }
  }

  // MARK: - The user

  /// Goes back by one screen, as the user does with a swipe. Returns `false` if that is not possible.
  @discardableResult
  public func goBack() -> Bool { navigate { $0.afterGoingBack() } }

  /// Dismisses the top stack, as the user does by pulling it down. Returns `false` if nothing is presented.
  @discardableResult
  public func dismiss() -> Bool { navigate { $0.afterDismissal() } }

  /// Runs the work that waits for the next frame.
  public func drawFrame() {
    let work = state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for job in work { job() }
  }

  private func navigate(_ change: (Navigation) -> Navigation?) -> Bool {
    let moved = state.withLock { state -> (Navigation, @Sendable (Navigation) -> Void)? in
      guard let navigation = change(state.navigation) else { return nil }
      state.navigation = navigation
      return (navigation, state.report)
    }
    guard let (navigation, report) = moved else { return false }
    report(navigation)
    return true
  }

  /// Returns the theme that was passed to `init`.
  public func systemTheme() -> AppTheme? { theme }
}

#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootBase
public import AppBootLifecycle
public import UIKit

/// A window of a launch that shows the screens' view controllers in a `UIWindow`.
///
/// Each stack is a `UINavigationController`. The first one is the window's root, each further one is presented over the
/// one before. A screen keeps its view controller until it is removed, so that going back shows the same one.
///
/// If the user swipes back, taps the back button or pulls a sheet down, the coordinator removes these screens.
@MainActor
public final class UIKitWindow: MainActorWindow {
  private struct Stack {
    var items: [Navigation.Item]
    let controller: UINavigationController
  }

  private let window: UIWindow
  private let makeViewController: @MainActor @Sendable (AppScreen) -> UIViewController
  private let makeNavigationController: @MainActor @Sendable () -> UINavigationController
  /// The stacks that are shown, from bottom to top.
  private var stacks: [Stack] = []
  private var controllers: [Navigation.Item: UIViewController] = [:]
  private var report: @MainActor @Sendable (Navigation) -> Void = { _ in }
  private let delegate = NavigationObserver()

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - makeViewController: A function that returns the view controller of a screen.
  ///   - makeNavigationController: A function that returns the controller of a stack, for example with a hidden bar.
  public init(
    _ window: UIWindow, makeViewController: @escaping @MainActor @Sendable (AppScreen) -> UIViewController,
    makeNavigationController: @escaping @MainActor @Sendable () -> UINavigationController = {
      UINavigationController()
    }
  ) {
    self.window = window
    self.makeNavigationController = makeNavigationController
    self.makeViewController = makeViewController
    delegate.didShow = { [weak self] in self?.didShow($0) }
    delegate.didDismiss = { [weak self] in self?.didDismiss($0) }
  }

  /// Sets the theme and the accent colour of the window, and the accent colour of navigation bars (`UIAppearance`).
  public func display(_ appearance: WindowAppearance) {
    window.overrideUserInterfaceStyle = UIUserInterfaceStyle(appearance)
    let accent = UIColor(appearance.accent)
    window.tintColor = accent
    UINavigationBar.appearance().tintColor = accent
  }

  /// The theme from the window's traits; `nil` if it is unspecified.
  public var displayedTheme: AppTheme? {
    switch window.traitCollection.userInterfaceStyle {
    case .dark: .dark
    case .light: .light
    case .unspecified: nil
    @unknown default: nil
    }
  }

  /// Runs the work when the current animations have ended and the frame is committed.
  nonisolated public func afterNextFrame(_ work: @escaping @Sendable () -> Void) {
    MainQueue.run { CATransaction.setCompletionBlock(work) }
  }

  // MARK: - Screens

  /// Pushes, pops, presents and dismisses view controllers, so that they are those of the navigation.
  public func display(_ navigation: Navigation) {
    guard navigation.visible != nil else { return }
    let isFirst = stacks.isEmpty
    let kept = keptStacks(of: navigation)
    if kept < stacks.count { dismiss(to: kept, isAnimated: navigation.stacks.count == kept) }
    for (index, items) in navigation.stacks.enumerated() {
      if index < stacks.count {
        set(items, at: index, isAnimated: true)
      } else {
        add(items, isAnimated: index == navigation.stacks.count - 1)
      }
    }
    let shown = Set(navigation.stacks.joined())
    controllers = controllers.filter { shown.contains($0.key) }
    if isFirst { window.makeKeyAndVisible() }
  }

  /// Stores the function to call when the user has gone back or has dismissed a stack.
  public func reportUserNavigation(to report: @escaping @MainActor @Sendable (Navigation) -> Void) {
    self.report = report
  }

  /// The number of stacks that stay: the first one, and those above with the same first screen.
  private func keptStacks(of navigation: Navigation) -> Int {
    let pairs = zip(stacks, navigation.stacks).enumerated()
    let changed = pairs.first { $0.offset > 0 && $0.element.0.items.first != $0.element.1.first }
    return changed?.offset ?? min(stacks.count, navigation.stacks.count)
  }

  private func dismiss(to count: Int, isAnimated: Bool) {
    // The controller dismisses everything above it.
    stacks[count - 1].controller.dismiss(animated: isAnimated, completion: nil)
    stacks.removeSubrange(count...)
  }

  private func set(_ items: [Navigation.Item], at index: Int, isAnimated: Bool) {
    guard stacks[index].items != items else { return }
    stacks[index].items = items
    stacks[index].controller.setViewControllers(items.map(controller), animated: isAnimated)
  }

  private func add(_ items: [Navigation.Item], isAnimated: Bool) {
    let controller = makeNavigationController()
    controller.delegate = delegate
    let below = stacks.last?.controller
    stacks.append(Stack(items: items, controller: controller))
    controller.setViewControllers(items.map(self.controller), animated: false)
    guard let below else { return window.rootViewController = controller }
    controller.presentationController?.delegate = delegate
    below.present(controller, animated: isAnimated, completion: nil)
  }

  private func controller(of item: Navigation.Item) -> UIViewController {
    if let controller = controllers[item] { return controller }
    let controller = makeViewController(item.screen)
    if controller.title == nil { controller.title = item.screen.title }
    controllers[item] = controller
    return controller
  }

  // MARK: - The user

  /// Reports that the user has gone back, if the controller has fewer screens than it was given.
  private func didShow(_ controller: UINavigationController) {
    guard let index = stacks.firstIndex(where: { $0.controller === controller }) else { return }
    let count = controller.viewControllers.count
    let left = stacks[index].items.prefix(count)
    guard count < stacks[index].items.count, left.map(self.controller) == controller.viewControllers else {
      return
    }
    stacks[index].items = Array(left)
    reportStacks()
  }

  private func didDismiss(_ controller: UIViewController) {
    guard let index = stacks.firstIndex(where: { $0.controller === controller }), index > 0 else { return }
    stacks.removeSubrange(index...)
    reportStacks()
  }

  private func reportStacks() {
    let navigation = Navigation(stacks: stacks.map(\.items))
    let shown = Set(navigation.stacks.joined())
    controllers = controllers.filter { shown.contains($0.key) }
    report(navigation)
  }
}

/// A delegate of navigation controllers and of their presentation.
@MainActor
private final class NavigationObserver: NSObject, UINavigationControllerDelegate,
  UIAdaptivePresentationControllerDelegate
{
  var didShow: (UINavigationController) -> Void = { _ in }
  var didDismiss: (UIViewController) -> Void = { _ in }

  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) { didShow(navigationController) }

  func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
    didDismiss(presentationController.presentedViewController)
  }
}

extension UIUserInterfaceStyle {
  /// The style to which a window is set; unspecified if the window follows the system.
  init(_ appearance: WindowAppearance) {
    switch appearance.theme {
    case _ where appearance.followsSystem: self = .unspecified
    case .dark: self = .dark
    case .light: self = .light
    }
  }
}

extension UIColor {
  convenience init(_ color: AppColor) {
    self.init(
      red: CGFloat(color.red) / 255, green: CGFloat(color.green) / 255, blue: CGFloat(color.blue) / 255,
      alpha: 1)
  }
}
#endif

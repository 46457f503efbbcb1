// swift-format-ignore-file
// The windows and views of the stub of UIKit.

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
@MainActor open class UITraitCollection: NSObject {
  public let userInterfaceStyle: UIUserInterfaceStyle
  public init(userInterfaceStyle: UIUserInterfaceStyle) { self.userInterfaceStyle = userInterfaceStyle }
}
open class UIColor: NSObject, @unchecked Sendable {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { components = [red, green, blue, alpha] }
  #if !tvos
  public static let systemBackground = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
  #endif
  public static let white = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
  public static let black = UIColor(red: 0, green: 0, blue: 0, alpha: 1)
  // For tests.
  public let components: [CGFloat]
}

@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) { self.frame = frame }
  public var tintColor: UIColor!
  public var backgroundColor: UIColor?
  public private(set) var subviews: [UIView] = []
  public func addSubview(_ view: UIView) { subviews.append(view) }
  public var bounds = CGRect.zero
  public var frame = CGRect.zero
  public var autoresizingMask: AutoresizingMask = []
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = Self(rawValue: 2)
    public static let flexibleHeight = Self(rawValue: 16)
  }
}
public enum NSTextAlignment: Int, Sendable { case left, center, right }
@MainActor open class UILabel: UIView {
  public var text: String?
  public var textColor: UIColor!
  public var textAlignment = NSTextAlignment.left
  public var numberOfLines = 1
}
@MainActor open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) {}
  public required init?(coder: NSCoder) {}
  public convenience override init() { self.init(nibName: nil, bundle: nil) }
  public let view: UIView! = UIView(frame: .zero)
  private var isLoaded = false
  public func loadViewIfNeeded() {
    if !isLoaded { viewDidLoad() }
    isLoaded = true
  }
  open func viewDidLoad() {}
  public var title: String?
  public private(set) var presentedViewController: UIViewController?
  public lazy var presentationController: UIPresentationController? = UIPresentationController(presenting: self)
  public func present(_ viewController: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
    presentedViewController = viewController
    completion?()
  }
  public func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    presentedViewController = nil
    completion?()
  }
}
@MainActor open class UINavigationController: UIViewController {
  public private(set) var viewControllers: [UIViewController] = []
  public weak var delegate: (any UINavigationControllerDelegate)?
  public var topViewController: UIViewController? { viewControllers.last }
  public func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    self.viewControllers = viewControllers
    guard let top = viewControllers.last else { return }
    delegate?.navigationController(self, didShow: top, animated: animated)
  }
  /// The back button and the back swipe call this method of UIKit.
  @discardableResult
  public func popViewController(animated: Bool) -> UIViewController? {
    let removed = viewControllers.last
    setViewControllers(viewControllers.dropLast(), animated: animated)
    return removed
  }
}
@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}
@MainActor open class UIPresentationController: NSObject {
  public let presentedViewController: UIViewController
  public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
  init(presenting controller: UIViewController) { presentedViewController = controller }
}
@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}
// A class of QuartzCore, which UIKit re-exports.
open class CATransaction: NSObject {
  public class func setCompletionBlock(_ block: (@Sendable () -> Void)?) { block?() }
}
@MainActor public protocol UIAppearance { static func appearance() -> Self }
@MainActor public final class UINavigationBar: UIView, UIAppearance {
  private static let shared = UINavigationBar(frame: .zero)
  public static func appearance() -> UINavigationBar { shared }
}
@MainActor open class UIWindow: UIView {
  public init(windowScene: UIWindowScene) {
    super.init(frame: .zero)
    self.windowScene = windowScene
    windowScene.windows.append(self)
  }
  public override init(frame: CGRect) { super.init(frame: frame) }
  public convenience init() { self.init(frame: .zero) }
  public weak var windowScene: UIWindowScene?
  public var rootViewController: UIViewController?
  public var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
  /// The system's style, unless the window overrides it.
  public var traitCollection: UITraitCollection {
    let style = overrideUserInterfaceStyle == .unspecified ? Self.systemStyle : overrideUserInterfaceStyle
    return UITraitCollection(userInterfaceStyle: style)
  }
  public private(set) var isKeyWindow = false
  public func makeKeyAndVisible() {
    isKeyWindow = true
    rootViewController?.loadViewIfNeeded()
  }

  // For tests.
  public static var systemStyle = UIUserInterfaceStyle.light
}

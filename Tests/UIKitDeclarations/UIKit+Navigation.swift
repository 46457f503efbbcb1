// swift-format-ignore-file
// The declarations of view controllers and of navigation. They keep what they are given, and call their delegates.
import Foundation

@MainActor open class UIViewController: UIResponder {
  public var title: String?
  public private(set) var presentedViewController: UIViewController?
  public lazy var presentationController: UIPresentationController? = UIPresentationController(presenting: self)
  public func present(_ viewController: UIViewController, animated: Bool, completion: (() -> Void)?) {
    presentedViewController = viewController
    completion?()
  }
  public func dismiss(animated: Bool, completion: (() -> Void)?) {
    presentedViewController = nil
    completion?()
  }
}
@MainActor open class UINavigationController: UIViewController {
  public private(set) var viewControllers: [UIViewController] = []
  public weak var delegate: (any UINavigationControllerDelegate)?
  public func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    self.viewControllers = viewControllers
    guard let top = viewControllers.last else { return }
    delegate?.navigationController(self, didShow: top, animated: animated)
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

extension UIApplication {
  nonisolated public static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunching")
}

#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootLifecycle
import UIKit

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

#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The view controller that the windows show after a failed launch. In a release build it does not show the error.
final class FailureViewController: UIViewController {
  /// The text of the view.
  let text: String

  init(_ error: any Error) {
    #if DEBUG
    text = "The launch failed.\n\n\(error)"
    #else
    text = "The app could not be started. Please close it and open it again."
    #endif
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let label = UILabel(frame: view.bounds)
    label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    label.numberOfLines = 0
    label.textAlignment = .center
    label.text = text
    // The app's own colours may be what failed.
    view.backgroundColor = .white
    label.textColor = .black
    view.addSubview(label)
  }
}
#endif

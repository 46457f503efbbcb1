import AppBoot
import AppBootLifecycle
import UIKit

/// A view controller that shows the title and the text of a screen.
final class NoteViewController: UIViewController {
  private let screen: AppScreen

  init(_ screen: AppScreen) {
    self.screen = screen
    super.init(nibName: nil, bundle: nil)
    title = screen.title
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let label = UILabel(frame: view.bounds)
    label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    label.textAlignment = .center
    label.numberOfLines = 0
    label.text = [screen.title, screen.text].joined(separator: "\n\n")
    view.backgroundColor = .systemBackground
    view.addSubview(label)
  }
}

import AppBoot
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct NavigationTests {
    let app = TestAppDelegate()

    /// Connects a scene that shows a screen. Returns its window, its coordinator and its navigation controller.
    private func connected() throws -> (UIWindow, ScreenCoordinator, UINavigationController) {
      app.text = manifest(on: ["sceneWillConnect": "ShowRequest"])
      let phone = Phone(app)
      phone.launch()
      let window = try #require(phone.connect("left"))
      let coordinator = try #require(app.host?["left"]?.coordinator)
      return (window, coordinator, try #require(window.rootViewController as? UINavigationController))
    }

    private func screen(_ name: String) -> AppScreen { AppScreen(name: name, title: "", text: "") }

    @Test("A pushed screen has a controller of its own, and going back shows the same one as before")
    func push() throws {
      let (window, coordinator, navigation) = try connected()
      let first = try #require(navigation.viewControllers.first)
      try coordinator.push(screen("note"))
      #expect(navigation.viewControllers.count == 2 && window.screenName == "note")
      try coordinator.pop()
      #expect(navigation.viewControllers == [first])
    }

    @Test("The back swipe of the user removes the screen from the flow")
    func back() throws {
      let (window, coordinator, navigation) = try connected()
      try coordinator.push(screen("note"))
      navigation.popViewController(animated: true)
      #expect(coordinator.screens.map(\.name) == ["normal"])
      #expect(window.screenName == "normal")
    }

    @Test("A presented screen is over the stack, and a sheet that the user pulls down leaves the flow")
    func dismissal() throws {
      let (window, coordinator, navigation) = try connected()
      try coordinator.present(screen("settings"))
      #expect(window.screenName == "settings")
      let sheet = try #require(navigation.presentedViewController)
      let presentation = try #require(sheet.presentationController)
      presentation.delegate?.presentationControllerDidDismiss(presentation)
      #expect(coordinator.screens.map(\.name) == ["normal"])
    }
  }
}

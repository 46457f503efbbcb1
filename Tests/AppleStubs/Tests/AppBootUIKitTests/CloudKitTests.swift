import AppBoot
import AppBootCloudKit
import AppBootLifecycle
import CloudKit
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite("An accepted CloudKit invitation") @MainActor struct CloudKitTests {
    let app = TestAppDelegate()
    let metadata: CKShare.Metadata
    let share = CloudKitShare(url: "https://www.icloud.com/share/7", container: "iCloud.notes")
    var shareOfScene: CloudKitShare {
      CloudKitShare(url: share.url, container: share.container, scene: "left")
    }

    init() {
      metadata = CKShare.Metadata(CKShare(URL(string: share.url)), containerIdentifier: "iCloud.notes")
      app.text = manifest(on: [
        "sceneWillConnect": "ShowRequest", "userDidAcceptCloudKitShare": "ShowRequest",
      ])
    }

    @Test("An invitation in a connected scene is an event of the scene")
    func scene() throws {
      let phone = Phone(app)
      phone.launch()
      let window = phone.connect("left")
      let scene = try #require(phone.scenes["left"])
      let delegate = try #require(scene.delegate as? TestSceneDelegate)
      delegate.windowScene(scene, userDidAcceptCloudKitShareWith: metadata)
      #expect(app.journal.events.last == .userDidAcceptCloudKitShare(shareOfScene))
      #expect(window?.screenName?.hasPrefix("url https://www.icloud.com/share/7") == true)
    }

    @Test("An invitation that opens a scene is an event after the connection")
    func connection() {
      let phone = Phone(app)
      phone.launch()
      let options = UIScene.ConnectionOptions()
      options.cloudKitShare = metadata
      phone.connect("left", options)
      #expect(
        app.journal.events.filter { $0.scene == "left" } == [
          .sceneWillConnect("left"), .userDidAcceptCloudKitShare(shareOfScene),
        ])
    }

    @Test("An invitation in an app without scenes is an event of the process")
    func process() {
      app.hasScenes = false
      let phone = Phone(app)
      phone.launch()
      app.application(phone.application, userDidAcceptCloudKitShareWith: metadata)
      #expect(app.journal.events.contains(.userDidAcceptCloudKitShare(share)))
    }
  }
}

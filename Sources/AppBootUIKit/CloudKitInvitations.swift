#if canImport(UIKit) && !os(watchOS)
package import AppBootLifecycle
package import UIKit

/// A scene delegate that accepts the CloudKit invitation which opened its scene.
///
/// `AppBootCloudKit` adds the conformance, because this module does not link CloudKit.
@MainActor
package protocol InvitedSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` if an invitation opened the scene.
  func acceptInvitation(of connectionOptions: UIScene.ConnectionOptions, in scene: UIScene)
}

extension AppBootAppDelegate {
  /// Sends `userDidAcceptCloudKitShare` in an app without scenes.
  package func accept(_ share: CloudKitShare) { receive(.userDidAcceptCloudKitShare(share)) }
}

extension AppBootSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` for a scene.
  package func accept(_ share: CloudKitShare, in scene: UIScene) {
    let id = SceneID(scene.session.persistentIdentifier)
    AppBootAppDelegate.current?.receive(.userDidAcceptCloudKitShare(share, scene: id))
  }
}
#endif

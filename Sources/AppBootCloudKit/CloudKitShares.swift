#if canImport(CloudKit) && canImport(UIKit) && !os(watchOS)
import AppBootLifecycle
public import AppBootUIKit
public import CloudKit
public import UIKit

// An app that links this module has these methods. It is a module of its own, so that other apps do not link CloudKit.
// Without the attribute, UIKit would not find a method of an extension.

extension AppBootSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` for an invitation that the user accepted while the scene is connected.
  #if canImport(ObjectiveC)
  @objc(windowScene:userDidAcceptCloudKitShareWithMetadata:)
  #endif
  public func windowScene(
    _ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) { accept(CloudKitShare(cloudKitShareMetadata), in: windowScene) }
}

extension AppBootSceneDelegate: InvitedSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` for the invitation that opened the scene.
  package func acceptInvitation(of connectionOptions: UIScene.ConnectionOptions, in scene: UIScene) {
    guard let metadata = connectionOptions.cloudKitShareMetadata else { return }
    accept(CloudKitShare(metadata), in: scene)
  }
}

extension AppBootAppDelegate {
  /// Sends `userDidAcceptCloudKitShare` in an app without scenes.
  #if canImport(ObjectiveC)
  @objc(application:userDidAcceptCloudKitShareWithMetadata:)
  #endif
  public func application(
    _ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) { accept(CloudKitShare(cloudKitShareMetadata)) }
}

extension CloudKitShare {
  init(_ metadata: CKShare.Metadata) {
    self.init(url: metadata.share.url?.absoluteString ?? "", container: metadata.containerIdentifier)
  }
}
#endif

// swift-format-ignore-file
// A stub of the parts of CloudKit that AppBootCloudKit uses, written from Apple's public documentation.
@_exported import UIKit

open class CKShare: NSObject {
  public let url: URL?
  public init(_ url: URL?) { self.url = url }

  open class Metadata: NSObject {
    public let share: CKShare
    public let containerIdentifier: String
    public init(_ share: CKShare, containerIdentifier: String) {
      self.share = share
      self.containerIdentifier = containerIdentifier
    }
  }
}

// UIKit declares the property.
extension UIScene.ConnectionOptions {
  public var cloudKitShareMetadata: CKShare.Metadata? { cloudKitShare as? CKShare.Metadata }
}

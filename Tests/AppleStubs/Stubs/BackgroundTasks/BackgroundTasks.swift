// swift-format-ignore-file
// A stub of BackgroundTasks: what AppBootUIKit uses of it, written from Apple's public documentation.
import Foundation
import Dispatch

open class BGTask: NSObject {
  public let identifier: String
  public var expirationHandler: (() -> Void)?
  public func setTaskCompleted(success: Bool) { completions.append(success) }

  // For tests.
  public private(set) var completions: [Bool] = []
  public init(_ identifier: String) { self.identifier = identifier }
}

open class BGTaskScheduler: NSObject, @unchecked Sendable {
  public static let shared = BGTaskScheduler()
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    handlers[identifier] = launchHandler
    return true
  }

  // For tests.
  public private(set) var handlers: [String: (BGTask) -> Void] = [:]
  public func reset() { handlers = [:] }
}

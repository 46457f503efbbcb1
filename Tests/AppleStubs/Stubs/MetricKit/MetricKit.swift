// swift-format-ignore-file
// A stub of MetricKit: what AppBootUIKit uses of it, written from Apple's public documentation.
import Dispatch
import Foundation

public struct MXLaunchTaskID: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

open class MXMetricManager: NSObject, @unchecked Sendable {
  public static let shared = MXMetricManager()
  public class func extendLaunchMeasurement(forTaskID taskID: MXLaunchTaskID) throws {
    try shared.add("extend", taskID)
  }
  public class func finishExtendedLaunchMeasurement(forTaskID taskID: MXLaunchTaskID) throws {
    try shared.add("finish", taskID)
  }

  // For tests.
  public struct Failure: Error {}
  public private(set) var calls: [String] = []
  public var fails = false
  public func reset() { (calls, fails) = ([], false) }
  private func add(_ call: String, _ task: MXLaunchTaskID) throws {
    dispatchPrecondition(condition: .onQueue(.main))
    calls.append("\(call) \(task.rawValue)")
    if fails { throw Failure() }
  }
}

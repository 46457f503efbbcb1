// swift-format-ignore-file
// A stub of os: what AppBootUIKit uses of it, written from Apple's public documentation.
import Foundation

public struct OSSignpostID: Sendable { fileprivate let value: Int }

public final class OSSignpostIntervalState {
  fileprivate let message: String
  fileprivate init(_ message: String) { self.message = message }
}

public struct OSLogPrivacy { public static var `public`: OSLogPrivacy { OSLogPrivacy() } }

public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy) {
      text += value()
    }
  }
  fileprivate let text: String
  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

public enum OSLog {
  public struct Category: Sendable { public static let pointsOfInterest = Category() }
}

public struct OSSignposter: Sendable {
  public init(subsystem: String, category: OSLog.Category) {}
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(value: 1) }
  public func beginInterval(_ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata)
    -> OSSignpostIntervalState
  {
    Signposts.shared.add("begin \(name) \(message.text)")
    return OSSignpostIntervalState(message.text)
  }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    Signposts.shared.add("end \(name) \(state.message)")
  }
}

// For tests.
public final class Signposts: @unchecked Sendable {
  public static let shared = Signposts()
  private let lock = NSLock()
  private var lines: [String] = []
  public var calls: [String] { lock.withLock { lines } }
  public func reset() { lock.withLock { lines = [] } }
  fileprivate func add(_ line: String) { lock.withLock { lines.append(line) } }
}

/// A launch that succeeded: its record, and the values that its commands provided.
///
/// ```swift
/// let launch = try await plan.launch()
/// let database = try launch.require(.database)
/// ```
public struct CompletedLaunch: Sendable {
  /// The record of the launch.
  public let record: StartupRecord
  private let values: ContextValues
  private let plan: StartupPlan

  init(_ record: StartupRecord, _ values: ContextValues, of plan: StartupPlan) {
    (self.record, self.values, self.plan) = (record, values, plan)
  }

  /// Returns the value for a key; `nil` if no step has provided a value of the key's type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? { values[key.name] as? Value }

  /// Returns the value for a key.
  ///
  /// - Throws: ``ContextValueError`` if no step has provided the value, or if it has another type.
  public func require<Value>(_ key: ContextKey<Value>) throws(ContextValueError) -> Value {
    try values.require(key) { plan.providers(of: key.name) { record[$0].state } }
  }
}

/// An error that reports that a launch did not succeed. It has the record of the launch.
public struct LaunchFailed: Error, CustomStringConvertible {
  /// The record of the launch.
  public let record: StartupRecord

  /// Creates the error of a launch that did not succeed.
  package init(record: StartupRecord) { self.record = record }

  /// The error message: the reason why the launch ended, and the failure of each step and of each undo.
  public var description: String {
    let failures = record.failures.compactMap { step in
      step.state.failure.map { "\"\(step.id)\": \($0.message)" }
    }
    let undos = record.compactMap { step in
      step.details.undo?.failure.map { "the undo of \"\(step.id)\": \($0.message)" }
    }
    return ([reason] + failures + cancellations + undos).joined(separator: "; ")
  }

  /// The steps whose commands cancelled themselves.
  private var cancellations: [String] {
    record.filter { $0.state == .cancelled(.selfCancelled) }.map {
      "\"\($0.id)\": \(CancelReason.selfCancelled.text): it threw CancellationError"
    }
  }

  private var reason: String {
    switch record.outcome {
    case .running: "the launch did not finish"
    case .succeeded, .failed: "the launch failed"
    case .timedOut: "the launch timed out"
    case .cancelled(let cause): "the launch was cancelled: \(cause)"
    }
  }
}

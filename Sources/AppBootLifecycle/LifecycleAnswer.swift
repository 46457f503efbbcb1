/// An answer to an event.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LifecycleAnswer: Sendable, Hashable, CustomStringConvertible {
  /// The event needs no answer, or only an acknowledgement.
  case acknowledged
  /// A Boolean answer, for example whether a URL was opened.
  case bool(Bool)
  /// The result of a background fetch.
  case fetch(FetchResult)
  /// The presentation of a notification while the app is in the foreground.
  case presentation(PresentationOptions)

  /// True unless the answer is `false` or a failed fetch.
  var isPositive: Bool {
    switch self {
    case .acknowledged, .presentation: true
    case .bool(let flag): flag
    case .fetch(let result): result != .failed
    }
  }

  /// The answer as text, for example `acknowledged`, `true`, `newData` or `banner, sound`.
  public var description: String {
    switch self {
    case .acknowledged: "acknowledged"
    case .bool(let flag): "\(flag)"
    case .fetch(let result): result.rawValue
    case .presentation(let options): options.description
    }
  }
}

/// The result of a background fetch.
public enum FetchResult: String, Sendable, Hashable, CaseIterable {
  /// The fetch found new data.
  case newData
  /// The fetch found nothing new.
  case noData
  /// The fetch failed.
  case failed
}

/// The presentation of a notification while the app is in the foreground.
public struct PresentationOptions: OptionSet, Sendable, Hashable, CustomStringConvertible {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shows a banner.
  public static let banner = PresentationOptions(rawValue: 1)
  /// Adds the notification to the list of notifications.
  public static let list = PresentationOptions(rawValue: 2)
  /// Plays a sound.
  public static let sound = PresentationOptions(rawValue: 4)
  /// Updates the app's badge.
  public static let badge = PresentationOptions(rawValue: 8)

  /// The names of the options that are set.
  var names: [String] {
    let names: [(PresentationOptions, String)] = [
      (.banner, "banner"), (.list, "list"), (.sound, "sound"), (.badge, "badge"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }

  /// The names of the options that are set, or `nothing`.
  public var description: String { isEmpty ? "nothing" : names.joined(separator: ", ") }
}

/// A rule for merging the answers of several responders to one event.
///
/// Each responder is asked, regardless of the answers of the others.
package enum AnswerRule: Sendable, Hashable, CaseIterable {
  /// `true` if all answers are `true`; `true` without answers.
  case allTrue
  /// `true` if any answer is `true`; `false` without answers.
  case anyTrue
  /// `newData` if any answer is `newData`; otherwise `failed` if any answer is `failed`; otherwise `noData`.
  case fetch
  /// The union of all options; empty without answers.
  case union
  /// Always `acknowledged`. The answers have nothing to merge.
  case acknowledge

  /// The merged answer if no responder answers.
  package var neutral: LifecycleAnswer {
    switch self {
    case .allTrue: .bool(true)
    case .anyTrue: .bool(false)
    case .fetch: .fetch(.noData)
    case .union: .presentation([])
    case .acknowledge: .acknowledged
    }
  }

  /// The answer of a part that throws, or that gives an answer of the wrong kind.
  package var failure: LifecycleAnswer {
    switch self {
    case .allTrue, .anyTrue: .bool(false)
    case .fetch: .fetch(.failed)
    case .union, .acknowledge: neutral
    }
  }

  /// Merges two answers; returns `nil` if the second is not of the kind that the event needs.
  ///
  /// Merging is commutative and associative. A tree of responders therefore has the merged answer of its leaves.
  func merge(_ merged: LifecycleAnswer, _ answer: LifecycleAnswer) -> LifecycleAnswer? {
    switch (self, merged, answer) {
    case (.allTrue, .bool(let left), .bool(let right)): .bool(left && right)
    case (.anyTrue, .bool(let left), .bool(let right)): .bool(left || right)
    case (.fetch, .fetch(let left), .fetch(let right)):
      .fetch([.newData, .failed].first { $0 == left || $0 == right } ?? .noData)
    case (.union, .presentation(let left), .presentation(let right)): .presentation(left.union(right))
    case (.acknowledge, _, .acknowledged): .acknowledged
    case (.allTrue, _, _), (.anyTrue, _, _), (.fetch, _, _), (.union, _, _), (.acknowledge, _, _): nil
    }
  }
}

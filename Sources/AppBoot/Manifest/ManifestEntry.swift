/// An entry of a manifest: a command's name, and how and when it runs.
///
/// A manifest may have 100,000 entries, most with few keys: rare ones are stored out of line.
package struct ManifestEntry: Sendable {
  /// The command's name.
  package private(set) var command: String
  /// The place of the name.
  package private(set) var commandRange: SourceRange
  /// The step's id: the one given, or else the command's name.
  package private(set) var id: String
  /// The place of the id, or of the name if there is no id.
  package private(set) var idRange: SourceRange
  /// The parameters, an object.
  package internal(set) var parameters: JSONValue?
  var order = Order.above
  var rare: Boxed<Attributes>?

  /// The steps that an entry comes after.
  enum Order: Sendable {
    /// The entry above it.
    case above
    /// Nothing.
    case nothing
    /// The ids of a list, read from it each time they are asked for.
    case listed(JSONValue)
  }

  /// The keys that most entries leave at their defaults.
  struct Attributes: Sendable {
    var condition: LaunchCondition?
    var unless: UnlessCondition?
    /// The variables of the entry's own files; they may be secrets.
    var variables: [String: String]?
    var timeout: Duration?
    var budget: Duration?
    var retry: RetryPolicy?
    var onFailure = FailurePolicy.stop
    var comment: String?
    /// The places of the values of `timeout`, `budget` and `onFailure`.
    var timeoutRange, budgetRange, policyRange: SourceRange?
  }

  /// An id in `after`, and its place.
  package struct Reference: Sendable {
    /// The id.
    package let id: String
    /// The place.
    package let range: SourceRange
  }

  init(command: String, range: SourceRange) {
    self.command = command
    commandRange = range
    id = command
    idRange = range
  }

  /// Sets the command. Its name is also the entry's id, unless the entry has one.
  mutating func name(_ command: String, at range: SourceRange) {
    if idRange == commandRange { (id, idRange) = (command, range) }
    (self.command, commandRange) = (command, range)
  }

  /// Sets the entry's id.
  mutating func identify(_ id: String, at range: SourceRange) {
    (self.id, idRange) = (id, range)
  }

  /// The ids that it comes after; `nil` for the entry above it. O(ids)
  package var after: [Reference]? {
    switch order {
    case .above: nil
    case .nothing: []
    case .listed(let list):
      list.elements.compactMap { element in
        element.string.map { Reference(id: $0, range: element.range) }
      }
    }
  }

  /// The rare keys; `nil` if the entry has none.
  var attributes: Attributes? {
    get { rare?.value }
    set { rare = newValue.map { .value($0) } }
  }

  /// The condition under which it runs.
  package var condition: LaunchCondition? { attributes?.condition }
  /// The timeout of one attempt.
  package var timeout: Duration? { attributes?.timeout }
  /// The time budget.
  package var budget: Duration? { attributes?.budget }
  /// The number of attempts and the delays between them.
  package var retry: RetryPolicy? { attributes?.retry }
  /// The effect of a failure on the other steps.
  package var onFailure: FailurePolicy { attributes?.onFailure ?? .stop }
  /// The author's comment.
  package var comment: String? { attributes?.comment }
}

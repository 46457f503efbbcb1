/// The manifest of a launch: its name, and the locations of its steps.
///
/// A plan has the manifest's text. A record that was read has only the facts that it stores.
package struct ManifestReference: Sendable {
  let name: String
  /// The text of the manifest of a plan; `nil` if a record was read.
  package let text: SourceText?
  /// The digest that a record stores; `nil` if it has none, or if this is a plan's reference.
  package let storedDigest: String?
  private let storedLocations: [SourceLocation?]

  /// Creates a reference to the text of a manifest.
  init(_ text: SourceText) {
    name = text.name
    self.text = text
    storedDigest = nil
    storedLocations = []
  }

  /// Creates a reference from the facts that a record stores.
  ///
  /// - Parameter locations: The locations of the steps, one element for each step.
  package init(name: String, digest: String?, locations: [SourceLocation?]) {
    self.name = name
    text = nil
    storedDigest = digest
    storedLocations = locations
  }

  /// Returns the location of the command of one step; `nil` if it is unknown. Takes O(n) in the length of the texts.
  func location(of step: Int, in steps: [StepOutline]) -> SourceLocation? {
    guard let text else { return storedLocations[step] }
    return steps[step].range.map { SourceFiles(text).location(of: Int($0.start)) }
  }

  /// Returns the locations of the steps' commands; `nil` for unknown locations. Takes O(n) in the length of the texts.
  func locations(of steps: [StepOutline]) -> [SourceLocation?] {
    guard let text else { return storedLocations }
    let known = steps.indices.filter { steps[$0].range != nil }
    let offsets = known.map { Int(steps[$0].range?.start ?? 0) }
    var locations = [SourceLocation?](repeating: nil, count: steps.count)
    for (step, location) in zip(known, SourceFiles(text).locations(of: offsets)) {
      locations[step] = location
    }
    return locations
  }
}

extension ManifestReader {
  static let defaultKeys = ["when", "timeout", "retry", "onFailure", "budget"]

  /// Reads `defaults`: the values for all entries that do not have the key themselves.
  mutating func readDefaults(_ value: JSONValue) {
    guard value.kind == .object else {
      return report(
        "\"defaults\" must be an object, not \(value.kind)", value.range, help: #"write { "timeout": "30s" }"#
      )
    }
    var defaults = ManifestEntry.Attributes()
    for (key, member) in value.members {
      let name = key.string
      if Self.defaultKeys.contains(name) {
        read(key, member, into: &defaults)
      } else if Self.entryKeys.contains(name) {
        report(
          "\"\(name)\" cannot have a default", key.range,
          help: "write it in each entry; defaults are for \(Self.defaultKeys.joined(separator: ", "))")
      } else {
        checkUnknown(name, key.range, among: Self.defaultKeys, of: "\"defaults\"")
      }
    }
    manifest.defaults = [defaults]
  }

  /// Sets the default values in each entry of the file that does not have the key.
  mutating func applyDefaults() {
    guard let defaults = manifest.defaults.first else { return }
    for index in manifest.commands.indices { manifest.commands[index].complete(with: defaults) }
    for event in manifest.events.indices {
      for index in manifest.events[event].entries.indices {
        manifest.events[event].entries[index].complete(with: defaults)
      }
    }
  }
}

extension ManifestEntry {
  fileprivate mutating func complete(with defaults: Attributes) {
    attributes = attributes?.completed(with: defaults) ?? defaults
  }
}

extension ManifestEntry.Attributes {
  fileprivate func completed(with defaults: Self) -> Self {
    var all = self
    all.condition = condition ?? defaults.condition
    all.retry = retry ?? defaults.retry
    if timeoutRange == nil { (all.timeout, all.timeoutRange) = (defaults.timeout, defaults.timeoutRange) }
    if budgetRange == nil { (all.budget, all.budgetRange) = (defaults.budget, defaults.budgetRange) }
    if policyRange == nil { (all.onFailure, all.policyRange) = (defaults.onFailure, defaults.policyRange) }
    return all
  }
}

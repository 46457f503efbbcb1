package import AppBoot

extension LaunchRecord {
  /// True if the launch and all event handlers after it succeeded.
  package var succeededWithEvents: Bool { succeeded && events.allSatisfy(\.record.succeeded) }

  /// The first cause of each step that was skipped because of other steps, by the index of the skipped step.
  package var skipRoots: [Int: Int] {
    var roots: [Int: Int] = [:]
    for step in executions.indices {
      var path: [Int] = []
      var current = step
      while roots[current] == nil, path.count <= executions.count, let cause = cause(ofSkipped: current) {
        path.append(current)
        current = cause
      }
      let root = roots[current] ?? current
      for skipped in path { roots[skipped] = root }
    }
    return roots
  }
}

extension LaunchOutline {
  /// Returns the file of a location, which is the manifest or a file that it includes; `nil` without a manifest.
  package func file(of location: SourceLocation?) -> String? { location?.file ?? manifestName }

  /// Returns the locations of the steps' commands in the manifest, by step index; `nil` for unknown locations.
  ///
  /// Takes O(n) in the length of the texts.
  package func locations() -> [SourceLocation?] {
    guard let text = manifest?.text else {
      return manifest?.storedLocations ?? [SourceLocation?](repeating: nil, count: count)
    }
    let known = steps.indices.filter { steps[$0].range != nil }
    let offsets = known.map { Int(steps[$0].range?.start ?? 0) }
    var locations = [SourceLocation?](repeating: nil, count: count)
    for (step, location) in zip(known, SourceFiles(text).locations(of: offsets)) {
      locations[step] = location
    }
    return locations
  }
}

package import AppBoot

/// The setting of whether and where a database is copied before a migration.
package enum BackupChoice: Sendable, Hashable {
  /// No copy.
  case off
  /// A copy in the database's directory, under the database's name with the suffix `.before-NUMBER`.
  case besideDatabase
  /// A copy at this path. The path may hold `{env.NAME}`.
  case file(String)

  /// Returns the choice with each `{env.NAME}` in its path replaced by the variable's value.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set.
  func resolved(in context: LaunchContext) throws -> BackupChoice {
    guard case .file(let path) = self else { return self }
    return .file(try TextParameter.value(of: path, in: context))
  }
}

extension BackupChoice: ParameterValue {
  /// `true`, `false` or a path.
  package static var parameterType: ParameterType<BackupChoice> {
    ParameterType(.anyOf([.boolean, TextParameter.schema]), placeholder: .off) { json, reader in
      if let isOn = json.bool { return isOn ? .besideDatabase : .off }
      return reader.text(json).map { .file($0) }
    }
  }
}

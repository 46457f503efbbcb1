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

extension BackupChoice: Decodable {
  /// Decodes true, false or a path.
  ///
  /// - Throws: `DecodingError` for any other value.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    do {
      self = try value.decode(Bool.self) ? .besideDatabase : .off
    } catch DecodingError.typeMismatch {
      self = .file(try value.decode(String.self))
    }
  }
}

extension BackupChoice: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema { .anyOf([.boolean, TextParameter.schema]) }
}

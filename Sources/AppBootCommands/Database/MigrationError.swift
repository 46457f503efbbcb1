import AppBoot
import AppBootSystem

/// An error that prevents a migration or its undo.
enum MigrationError: Error, Sendable {
  /// The path of the SQL files is not a directory.
  case noDirectory(String)
  /// The directory has no SQL file.
  case noFiles(String)
  /// The migration files conflict, and nothing was applied. The list has one sentence for each conflict.
  case refused([String], in: String)
  /// A statement of a file failed.
  case statementFailed(MigrationFailure)
  /// The database cannot be opened, read or locked. `reason` is SQLite's message.
  case unusable(database: String, reason: String)
  /// The backup cannot be written or read. `reason` is SQLite's message.
  case backupFailed(String, reason: String)
  /// The path of the backup is the path of the database.
  case backupIsDatabase(String)
  /// The undo found other migrations in the database than those after its step.
  case migratedSince(database: String, backup: String?)
  /// The undo has no backup to restore.
  case noBackup(database: String, applied: [String])
}

/// A failure of a statement: its place, its text, and the state of the database.
struct MigrationFailure: Sendable {
  /// The file's path, which begins with the directory as the manifest names it.
  let file: String
  let error: SQLiteError
  let line: Int
  /// The statement with its secrets masked. ``description`` cuts it, and a part of a secret would not be recognized.
  let statement: String
  let database: String
  /// The name of the last migration that the database has; `nil` if it has none.
  let lastApplied: String?

  /// The message: place and reason, the statement, and the state of the database.
  var description: String {
    let state = lastApplied.map { "\(database) stays at \($0)" } ?? "\(database) stays without migrations"
    return "\(file):\(line): \(error)\n\(shownStatement)\nnothing of this file is kept: \(state)"
  }

  private static let shownLines = 8
  private static let shownCharacters = 600

  private var shownStatement: String {
    let start = statement.prefix(Self.shownCharacters)
    let lines = start.split(omittingEmptySubsequences: true) { $0.isNewline }
    let isCut = start.count < statement.count || lines.count > Self.shownLines
    return lines.prefix(Self.shownLines).map { "  \($0)" }.joined(separator: "\n") + (isCut ? " …" : "")
  }
}

extension MigrationError: CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .noDirectory(let path):
      "there is no directory \"\(path)\": create it, or name another one in \"directory\""
    case .noFiles(let path):
      "\"\(path)\" has no SQL file: name the first one 001-NAME.sql"
    case .refused(let problems, let directory):
      problems.count == 1
        ? "\(directory): \(problems[0])"
        : "\(directory) has \(problems.count) problems:" + problems.map { "\n  \($0)" }.joined()
    case .statementFailed(let failure):
      failure.description
    case .unusable(let database, let reason):
      "cannot use \"\(database)\": \(reason)"
    case .backupFailed(let path, let reason):
      "cannot use \"\(path)\" as the backup: \(reason)"
    case .backupIsDatabase(let path):
      "\"\(path)\" is the database itself: name another file in \"backup\""
    case .migratedSince(let database, let backup):
      "\(database) is not restored, because it has since been migrated further"
        + (backup.map { ": the copy from before is \($0)" } ?? "")
    case .noBackup(let database, let applied):
      "\(database) keeps \(applied.joined(separator: ", ")), because there is no backup to restore: "
        + "set \"backup\" to true"
    }
  }
}

/// An error that reports that the SQLite library is missing.
struct MissingSQLite: MissingPrecondition, CustomStringConvertible {
  let loader: String

  /// The error message: the problem and its fix.
  var description: String {
    "SQLite's shared library is missing: install it, for example the package libsqlite3-0 (Debian, Ubuntu) or "
      + "sqlite-libs (Fedora, Alpine)\n\(loader)"
  }
}

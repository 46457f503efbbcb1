import AppBoot
import AppBootSystem

/// An error that prevents a migration or its undo.
enum MigrationError: Error, Sendable {
  /// There is no directory at the path.
  case noDirectory(String)
  /// The directory has no SQL file.
  case noFiles(String)
  /// Files of the directory conflict, with one sentence for each; nothing was applied.
  case refused([String], in: String)
  /// A statement of a file failed.
  case statementFailed(MigrationFailure)
  /// The database cannot be opened, read or locked; with SQLite's message.
  case unusable(database: String, reason: String)
  /// The backup cannot be written or read; with SQLite's message.
  case backupFailed(String, reason: String)
  /// The backup is the database itself.
  case backupIsDatabase(String)
  /// An undo found other migrations than those after its step.
  case migratedSince(database: String, backup: String?)
  /// An undo has nothing to restore.
  case noBackup(database: String, applied: [String])
}

/// A statement that failed, and the state of the database.
struct MigrationFailure: Sendable {
  /// The file's path, as the manifest states it.
  let file: String
  let error: SQLiteError
  let line: Int
  /// The statement, already masked: ``description`` cuts it, and a part of a secret would not be recognized.
  let statement: String
  let database: String
  /// The last migration in the database; `nil` if there is none.
  let lastApplied: String?

  /// The place and the reason, the statement, and the state of the database.
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
  /// The problem and the remedy.
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

/// The error for a missing SQLite library.
struct MissingSQLite: MissingPrecondition, CustomStringConvertible {
  let loader: String

  /// The problem and the remedy.
  var description: String {
    "SQLite's shared library is missing: install it, for example the package libsqlite3-0 (Debian, Ubuntu) or "
      + "sqlite-libs (Fedora, Alpine)\n\(loader)"
  }
}

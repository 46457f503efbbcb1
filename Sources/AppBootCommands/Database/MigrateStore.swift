public import AppBoot
import AppBootSystem

/// A command that brings a SQLite database up to date with numbered SQL files.
public struct MigrateStore: UndoableCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "MigrateStore"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract = "Applies numbered SQL files to a SQLite database, each of them once."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    The files are named 001-create-users.sql, 002-add-mail.sql, … without gaps. Each new one is applied in a \
    transaction of its own, in ascending order. The table appboot_migrations of the database records its number, name, \
    SHA-256 digest and time. If a file fails, nothing of it is kept; those before it are.

    Nothing is applied if a file that was applied earlier has changed or is missing. Add a new file instead.

    A file must not contain BEGIN, COMMIT, ROLLBACK or ATTACH. Savepoints are allowed.

    If there is something to apply, "backup" copies the database first. An undo restores the database as it was before \
    the step, and removes what was written since. It needs the backup, unless the database was empty. It refuses if \
    the database has been migrated further since.

    Two launches can migrate one database at once: the second waits, until its entry's "timeout", and applies what is \
    left. The command loads SQLite's shared library; if it is missing, the exit code is 4.
    """

  /// The background lane, because a migration can take long.
  public static let lane = Lane.background

  /// The path of the database's file.
  @Parameter(
    "The database's file, relative to the manifest's directory. It is created if it is missing. May hold {env.NAME}.",
    schema: TextParameter.schema)
  public var database: String

  /// The path of the directory with the SQL files.
  @Parameter(
    "The directory of the SQL files, relative to the manifest's directory. May hold {env.NAME}.",
    schema: TextParameter.schema)
  public var directory = "migrations"

  /// The setting for the copy of the database before a migration.
  @Parameter(
    "The file to copy the database to first; true for DATABASE.before-003 if 003 is the first new one. Default: false."
  )
  package var backup = BackupChoice.off

  /// Creates the command without a database.
  public init() {}

  /// Creates a command that applies the SQL files of a directory to a database. Both paths may hold placeholders.
  public init(database: String, directory: String = "migrations") {
    (self.database, self.directory) = (database, directory)
  }

  /// Rejects empty texts and invalid placeholders.
  public func validate(_ validation: inout ParameterValidation) {
    if let problem = TextParameter.problem(with: database) { validation.reject(problem, at: "database") }
    if let problem = TextParameter.problem(with: directory) { validation.reject(problem, at: "directory") }
    guard case .file(let path) = backup else { return }
    if let problem = TextParameter.problem(with: path) { validation.reject(problem, at: "backup") }
  }

  /// Applies the migration files that are not applied to the database yet.
  ///
  /// - Throws: An error with the file, line and statement that failed, or with the files that conflict;
  ///   ``MissingPrecondition`` if SQLite is missing; `CancellationError` if the step was cancelled.
  public func execute(in context: LaunchContext) throws {
    let name = try TextParameter.value(of: database, in: context)
    let files = try MigrationFiles(in: TextParameter.value(of: directory, in: context), context.directory)
    let backup = try backup.resolved(in: context)
    do {
      let store = try StoredDatabase(name, in: context.directory) { context.isCancelled }
      store.connection.onWait = { context.output("\(name) is locked: waiting for the other connection") }
      let key = Self.change(in: context)
      let earlier = context.attempt > 1 ? context.value(for: key) : nil
      let change = try Migration(of: store, with: files, backup: backup).run(context, after: earlier) {
        change in
        context.provide(change, for: key)
      }
      context.note(
        change.map { "\($0.applied.count) applied, at \($0.last)" } ?? "up to date, at \(files.last)")
    } catch  where context.isCancelled {
      throw CancellationError()
    }
  }

  /// Restores the content that the database had before the step. Does nothing if the step applied no files.
  ///
  /// - Throws: An error if the database had tables and there is no backup, or if the applied files have changed since
  ///   the step.
  public func undo(in context: LaunchContext) throws {
    guard let change = context.value(for: Self.change(in: context)) else { return }
    let name = try TextParameter.value(of: database, in: context)
    let limit = MonotonicClock.deadline(after: Self.lockLimitOfUndo)
    try change.revert(try StoredDatabase(name, in: context.directory) { MonotonicClock.now() > limit })
  }

  /// The maximum nanoseconds of an undo: the wait for a lock of the database, and the work itself.
  ///
  /// The context of an undo may already be cancelled, so the undo has this limit instead.
  private static let lockLimitOfUndo: Int64 = 5_000_000_000

  /// Returns the context key of this step's change. It contains the step's id, as a launch can migrate several
  /// databases.
  private static func change(in context: LaunchContext) -> ContextKey<MigrationChange> {
    ContextKey("change by \(context.stepID)")
  }
}

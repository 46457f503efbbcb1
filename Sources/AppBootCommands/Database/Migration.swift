import AppBoot
import AppBootSystem

/// A migration of one database: the pending files are applied, each in its own transaction.
struct Migration {
  private let database: StoredDatabase
  private let files: MigrationFiles
  private let backup: BackupChoice

  init(of database: StoredDatabase, with files: MigrationFiles, backup: BackupChoice) {
    (self.database, self.files, self.backup) = (database, files, backup)
    database.connection.refusal = Self.refusal
  }

  /// Applies the pending files. Returns the change of the step, or `earlier` if no file is pending.
  ///
  /// A database that is up to date is only read. Otherwise each file has its own transaction, which begins with a write
  /// lock. Inside the transaction the history is read again, because another launch may have applied the file.
  ///
  /// - Parameters:
  ///   - earlier: The change by a failed attempt of the same step; its backup remains the step's backup.
  ///   - keep: A function that stores the change. It is called after each file.
  func run(
    _ context: LaunchContext, after earlier: MigrationChange?, keep: (MigrationChange) -> Void
  ) throws -> MigrationChange? {
    var history = try history()
    guard try !history.pending(of: files, in: database.name).isEmpty else { return earlier }
    var change = earlier
    while true {
      try execute("BEGIN IMMEDIATE")
      do {
        history = try self.history()
        guard let file = try history.pending(of: files, in: database.name).first else {
          try execute("ROLLBACK")
          return change
        }
        var next = try change ?? start(before: file, history, context)
        try context.measure(file.name) { try apply(file, after: history, hiding: context.secrets) }
        try context.checkCancellation()
        try execute("COMMIT")
        next.add(file)
        change = next
        keep(next)
      } catch {
        // SQLite may have rolled back already.
        try? database.connection.execute("ROLLBACK")
        throw error
      }
    }
  }

  private func history() throws -> MigrationHistory {
    try database.use { connection in try MigrationHistory(of: connection) }
  }

  private func execute(_ statement: String) throws {
    try database.use { connection in try connection.execute(statement) }
  }

  /// Backs up the database, unless the database is empty or backups are off. Returns a change without files.
  private func start(
    before file: MigrationFile, _ history: MigrationHistory, _ context: LaunchContext
  ) throws -> MigrationChange {
    var change = MigrationChange(before: history.numbers)
    change.wasEmpty = try database.use { connection in
      try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1").isEmpty
    }
    guard !change.wasEmpty else { return change }
    switch backup {
    case .off: return change
    case .besideDatabase: change.backup = "\(database.name).before-\(file.digits)"
    case .file(let path): change.backup = path
    }
    if let path = change.backup { try context.measure("backup") { try database.copy(to: path) } }
    return change
  }

  /// Runs the statements of a file, and records the file in the database as applied.
  private func apply(
    _ file: MigrationFile, after history: MigrationHistory, hiding secrets: Secrets
  ) throws {
    do throws(SQLiteScriptError) {
      try database.connection.run(file.bytes)
    } catch {
      throw MigrationError.statementFailed(
        MigrationFailure(
          file: FileSystem.join(files.directory, file.name), error: error.error, line: error.line,
          statement: secrets.masking(error.statement), database: database.name,
          lastApplied: history.rows.last?.name))
    }
    try database.use { connection in try MigrationHistory.add(file, to: connection) }
  }

  /// Returns the reason why a migration file must not contain a statement; `nil` if the statement is allowed.
  private static func refusal(of action: SQLiteAction) -> String? {
    switch action {
    case .transaction: "the file is one transaction already: remove BEGIN, COMMIT (END) and ROLLBACK"
    case .attachment: "a transaction and its backup are about one database: remove ATTACH and DETACH"
    case .change(MigrationHistory.table): "the table \(MigrationHistory.table) belongs to MigrateStore"
    case .change: nil
    }
  }
}

/// The change of a database by a step: the files that the step applied, and the data that an undo needs.
struct MigrationChange: Sendable {
  /// True if the database had no table before the step.
  var wasEmpty = false
  /// The path of the backup from before the step; `nil` if there is no backup.
  var backup: String?
  /// The names of the files that the step applied, in the order of their numbers.
  private(set) var applied: [String] = []
  /// The numbers of all migrations that the database has after the step.
  private var numbers: [Int]

  init(before numbers: [Int]) { self.numbers = numbers }

  /// The name of the last file that the step applied; empty if it applied none.
  var last: String { applied.last ?? "" }

  mutating func add(_ file: MigrationFile) {
    applied.append(file.name)
    numbers.append(file.number)
  }

  /// Restores the content that the database had before the step.
  ///
  /// - Throws: `MigrationError` if the history has changed since the step, or if a database with tables has no backup.
  func revert(_ database: StoredDatabase) throws {
    guard wasEmpty || backup != nil else {
      throw MigrationError.noBackup(database: database.name, applied: applied)
    }
    let found = try database.use { connection in try MigrationHistory(of: connection).numbers }
    guard found == numbers else {
      throw MigrationError.migratedSince(database: database.name, backup: backup)
    }
    try database.restore(from: backup)
  }
}

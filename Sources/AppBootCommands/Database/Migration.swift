import AppBoot
import AppBootSystem

/// The work of bringing a database up to date.
struct Migration {
  private let database: StoredDatabase
  private let files: MigrationFiles
  private let backup: BackupChoice

  init(of database: StoredDatabase, with files: MigrationFiles, backup: BackupChoice) {
    (self.database, self.files, self.backup) = (database, files, backup)
    database.connection.refusal = Self.refusal
  }

  /// Applies the pending files; returns `nil` if there are none.
  ///
  /// A database that is up to date is only read. Otherwise each file has its own transaction, which begins with a
  /// write lock. The history is then read again, because another launch may have applied the file.
  ///
  /// - Parameters:
  ///   - earlier: The change by an earlier attempt that failed; its backup stays the one of the step.
  ///   - keep: Called with the change after each file.
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

  /// Backs up the database, unless it is empty.
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

  /// Runs the statements of a file, and records it.
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

  /// Returns the reason why a statement of a file must not run.
  private static func refusal(of action: SQLiteAction) -> String? {
    switch action {
    case .transaction: "the file is one transaction already: remove BEGIN, COMMIT (END) and ROLLBACK"
    case .attachment: "a transaction and its backup are about one database: remove ATTACH and DETACH"
    case .change(MigrationHistory.table): "the table \(MigrationHistory.table) belongs to MigrateStore"
    case .change: nil
    }
  }
}

/// The files that a step applied, with what an undo needs.
struct MigrationChange: Sendable {
  /// True if the database had no table before the step.
  var wasEmpty = false
  /// The copy of the database before the step; `nil` if there is none.
  var backup: String?
  /// The names of the files that the step applied, in order.
  private(set) var applied: [String] = []
  /// The numbers of all migrations after the step: earlier ones, and those that it applied.
  private var numbers: [Int]

  init(before numbers: [Int]) { self.numbers = numbers }

  /// The name of the last file.
  var last: String { applied.last ?? "" }

  mutating func add(_ file: MigrationFile) {
    applied.append(file.name)
    numbers.append(file.number)
  }

  /// Restores the database to its content before the step.
  ///
  /// - Throws: `MigrationError` if another launch has changed the history since, or if there is no copy.
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

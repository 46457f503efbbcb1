import AppBootSystem

/// The list of the applied migrations that is stored in the database, in ascending order of their numbers.
struct MigrationHistory: Sendable {
  /// An applied migration: one row of the history's table.
  struct Row: Sendable, Hashable {
    let number: Int
    let name: String
    let digest: String
    let time: String
  }

  /// The name of the history's table in the database.
  static let table = "appboot_migrations"

  let rows: [Row]

  /// The numbers of the applied migrations.
  var numbers: [Int] { rows.map(\.number) }

  /// Reads the applied migrations from a database. A database without the history's table has none.
  init(of connection: SQLiteConnection) throws(SQLiteError) {
    let tables = try connection.rows(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(Self.table)'")
    guard !tables.isEmpty else {
      rows = []
      return
    }
    rows = try connection.rows("SELECT number, name, sha256, applied_at FROM \(Self.table) ORDER BY number")
      .map {
        Row(number: Int($0[0]) ?? -1, name: $0[1], digest: $0[2], time: $0[3])
      }
  }

  /// Records a migration as applied, with the current time. Creates the history's table if it does not exist.
  static func add(_ file: MigrationFile, to connection: SQLiteConnection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL)
      """)
    try connection.execute(
      "INSERT INTO \(table) VALUES (?, ?, ?, ?)", String(file.number), file.name, file.digest,
      WallClock.timestamp())
  }

  /// Returns the files that are not applied yet.
  ///
  /// - Throws: `MigrationError` if an applied file is missing or has changed, if a new file has a lower number than an
  ///   applied one, or if the numbers have gaps.
  func pending(of files: MigrationFiles, in database: String) throws(MigrationError) -> [MigrationFile] {
    let byNumber = Dictionary(files.files.map { ($0.number, $0) }) { first, _ in first }
    var problems = rows.compactMap { problem(with: $0, byNumber[$0.number], files, database) }
    let known = Set(numbers)
    let pending = files.files.filter { !known.contains($0.number) }
    if let last = rows.last {
      problems += pending.filter { $0.number < last.number }.map {
        "\($0.name) is new and comes before \(last.name), which is applied: give it the next free number"
      }
    }
    // A missing file is a gap too.
    if problems.isEmpty { problems = files.gaps }
    if !problems.isEmpty { throw .refused(problems, in: files.directory) }
    return pending
  }

  private func problem(
    with row: Row, _ file: MigrationFile?, _ files: MigrationFiles, _ database: String
  ) -> String? {
    guard let file else {
      guard row.number > files.files.last?.number ?? 0 else {
        return "\(row.name), applied \(row.time), is missing: restore the file"
      }
      return
        "\(row.name), applied \(row.time), is missing: \(database) is newer than these files; use the version "
        + "of the app that has the file, or a backup"
    }
    guard file.digest != row.digest else { return nil }
    return
      "\(file.name) has changed since it was applied, \(row.time): restore the file, and write the change into "
      + "a new one"
  }
}

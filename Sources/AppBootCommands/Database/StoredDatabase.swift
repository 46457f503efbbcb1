import AppBoot
import AppBootSystem

/// A SQLite database of a step: its file, its name in messages, and a connection.
struct StoredDatabase {
  /// The path as the manifest states it.
  let name: String
  let connection: SQLiteConnection
  private let path: String
  private let base: String
  private let library: SQLiteLibrary
  private let isStopped: () -> Bool

  /// Opens the database. Creates its directory if it is missing.
  ///
  /// - Parameter isStopped: Returns true to end the wait for a lock, or the work.
  /// - Throws: ``MissingSQLite``; `MigrationError` if the file cannot be opened.
  init(
    _ name: String, in base: String, library: String = SQLiteLibrary.fileName,
    isStopped: @escaping () -> Bool
  ) throws {
    do throws(DynamicLibraryError) {
      self.library = try SQLiteLibrary(named: library)
    } catch {
      throw MissingSQLite(loader: error.description)
    }
    (self.name, self.base, self.isStopped) = (name, base, isStopped)
    path = FileSystem.join(base, name)
    try FileSystem.createDirectory(FileSystem.directory(of: path), parents: true)
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path, library: self.library)
    } catch {
      throw MigrationError.unusable(database: name, reason: error.description)
    }
    connection.isStopped = isStopped
  }

  /// Calls a function with the connection. An error of SQLite gets the database's name.
  func use<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
    do {
      return try work(connection)
    } catch let error as SQLiteError {
      throw MigrationError.unusable(database: name, reason: error.description)
    }
  }

  /// Copies the database to a file, which gets the permissions of the database.
  ///
  /// A second connection reads, so that this one can hold the write lock.
  func copy(to backup: String) throws {
    let place = FileSystem.join(base, backup)
    if let file = FileSystem.resolve(place), file == FileSystem.resolve(path) {
      throw MigrationError.backupIsDatabase(backup)
    }
    try FileSystem.createDirectory(FileSystem.directory(of: place), parents: true)
    try naming(backup) {
      let source = try SQLiteConnection(path, readOnly: true, library: library)
      let copy = try SQLiteConnection(place, library: library)
      try FileSystem.setPermissions(place, to: FileSystem.permissions(path))
      source.isStopped = isStopped
      copy.isStopped = isStopped
      try source.copy(to: copy)
      // Without this, the copy of a write-ahead database would have a second file, its log.
      try copy.execute("PRAGMA journal_mode = DELETE")
    }
  }

  /// Replaces the content of the database with that of a backup; empties the database without one.
  func restore(from backup: String?) throws {
    let place = backup.map { FileSystem.join(base, $0) }
    try naming(backup ?? name) {
      let source = try SQLiteConnection(place ?? ":memory:", readOnly: place != nil, library: library)
      source.isStopped = isStopped
      try source.copy(to: connection)
    }
  }

  private func naming(_ backup: String, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as SQLiteError {
      throw MigrationError.backupFailed(backup, reason: error.description)
    }
  }
}

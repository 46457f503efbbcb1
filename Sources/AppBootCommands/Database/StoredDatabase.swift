import AppBoot
import AppBootSystem

/// An open SQLite database of a step, with its path and its name in messages.
struct StoredDatabase {
  /// The database's path from the manifest, with its variables replaced.
  let name: String
  let connection: SQLiteConnection
  private let path: String
  private let base: String
  private let library: SQLiteLibrary
  private let isStopped: () -> Bool

  /// Opens the database. Creates the database's directory if it is missing.
  ///
  /// - Parameter isStopped: A function that returns true to stop running statements and the wait for a lock.
  /// - Throws: ``MissingSQLite``; `MigrationError` if the database cannot be opened; `SystemError` if its directory
  ///   cannot be created.
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

  /// Calls a function with the connection. Converts an error of SQLite to a `MigrationError` with the database's name.
  func use<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
    do {
      return try work(connection)
    } catch let error as SQLiteError {
      throw MigrationError.unusable(database: name, reason: error.description)
    }
  }

  /// Copies the database to a file. The file gets the permissions of the database.
  ///
  /// A second connection reads the database, so that `connection` can hold the write lock meanwhile.
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

  /// Replaces the content of the database with the content of a backup. Empties the database if `backup` is `nil`.
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

import AppBootLibC

/// A connection to a SQLite database. Only one thread at a time may use it. `deinit` closes it.
package final class SQLiteConnection {
  private let library: SQLiteLibrary
  private var database: OpaquePointer?
  private var hasWaited = false
  private var refusalReason: String?

  /// A function that returns true to interrupt a statement, a copy or the wait for a lock.
  ///
  /// It is called every 1000 steps of SQLite's virtual machine.
  package var isStopped: () -> Bool = { false }

  /// A function that is called once, before the first wait for another connection's lock.
  package var onWait: () -> Void = {}

  /// A function that returns the reason to refuse a statement of a script; `nil` allows the statement.
  package var refusal: (SQLiteAction) -> String? = { _ in nil }

  /// Opens a database. Creates a missing file unless `readOnly` is true. Reads nothing before the first statement.
  package init(_ path: String, readOnly: Bool = false, library: SQLiteLibrary) throws(SQLiteError) {
    self.library = library
    // SQLITE_OPEN_READONLY; SQLITE_OPEN_READWRITE and SQLITE_OPEN_CREATE.
    guard library.open(path, &database, readOnly ? 1 : 6, nil) == SQLiteCode.ok else {
      let error = lastError
      _ = library.close(database)
      database = nil
      throw error
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = library.setBusyHandler(database, busyHandler, context)
    library.setProgressHandler(database, 1000, progressHandler, context)
  }

  deinit { _ = library.close(database) }

  // MARK: - Statements

  /// Runs one statement, and ignores its rows.
  ///
  /// - Parameter values: The strings for the statement's `?` parameters, in order.
  package func execute(_ statement: String, _ values: String...) throws(SQLiteError) {
    _ = try rows(statement, values)
  }

  /// Returns the rows of a query as strings. A null value is "".
  package func rows(_ query: String) throws(SQLiteError) -> [[String]] { try rows(query, []) }

  private func rows(_ query: String, _ values: [String]) throws(SQLiteError) -> [[String]] {
    var statement: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    guard library.prepare(database, query, -1, &statement, &tail) == SQLiteCode.ok else { throw lastError }
    defer { _ = library.finalize(statement) }
    for (index, value) in values.enumerated() {
      guard library.bindText(statement, Int32(index + 1), value, -1, -1) == SQLiteCode.ok else {
        throw lastError
      }
    }
    var rows: [[String]] = []
    while try step(statement) {
      rows.append(
        (0..<library.columnCount(statement)).map { column in
          library.columnText(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  /// Runs the statements of a script in order, and ignores their rows.
  ///
  /// - Throws: ``SQLiteScriptError`` for the first statement that fails or is refused. The statements before it have
  ///   run.
  package func run(_ script: [UInt8]) throws(SQLiteScriptError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = library.setAuthorizer(database, authorizer, context)
    defer { _ = library.setAuthorizer(database, nil, nil) }
    let text = SQLiteScript(script)
    var start = text.statement(from: 0)
    while let current = start {
      start = text.statement(from: try run(text, from: current))
    }
  }

  /// Runs the statement of a script at an offset. Returns the offset of its end.
  private func run(_ script: SQLiteScript, from start: Int) throws(SQLiteScriptError) -> Int {
    refusalReason = nil
    var statement: OpaquePointer?
    let (code, end) = script.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var tail: UnsafePointer<CChar>?
      // The length includes the zero byte: without it SQLite copies the rest of the script for each statement.
      let code = library.prepare(
        database, base.map { $0 + start }, Int32(bytes.count - start), &statement, &tail)
      return (code, tail.flatMap { tail in base.map { tail - $0 } } ?? bytes.count)
    }
    defer { _ = library.finalize(statement) }
    guard code == SQLiteCode.ok else {
      let error = refusalReason.map { SQLiteError(code: code, $0) } ?? lastError
      let offset = refusalReason == nil ? Int(library.errorOffset?(database) ?? -1) : -1
      throw script.error(error, from: start, to: end, at: start + max(0, offset))
    }
    do throws(SQLiteError) {
      if isStopped() { throw SQLiteError(code: SQLiteCode.interrupt, "interrupted") }
      while try step(statement) {}
    } catch {
      throw script.error(error, from: start, to: end, at: start)
    }
    return end
  }

  /// Advances a statement. Returns whether it has a row.
  private func step(_ statement: OpaquePointer?) throws(SQLiteError) -> Bool {
    switch statement == nil ? SQLiteCode.done : library.step(statement) {
    case SQLiteCode.row: return true
    case SQLiteCode.done: return false
    default: throw lastError
    }
  }

  private var lastError: SQLiteError {
    SQLiteError(
      code: library.errorCode(database),
      library.errorMessage(database).map { String(cString: $0) } ?? "unknown error")
  }

  // MARK: - Copies

  /// Replaces the content of another database by the content of this one (sqlite.org/backup.html).
  ///
  /// The replacement is atomic, even if the process is killed. Other connections can stay open.
  package func copy(to other: SQLiteConnection) throws(SQLiteError) {
    guard let backup = library.beginBackup(other.database, "main", database, "main") else {
      throw other.lastError
    }
    var code = SQLiteCode.ok
    while code == SQLiteCode.ok {
      code = isStopped() ? SQLiteCode.interrupt : library.stepBackup(backup, 1000)
      if [SQLiteCode.busy, SQLiteCode.locked].contains(code & 0xff), waitForLock() { code = SQLiteCode.ok }
    }
    let end = library.finishBackup(backup)
    switch code & 0xff {
    case SQLiteCode.done: if end != SQLiteCode.ok { throw other.lastError }
    case SQLiteCode.interrupt: throw SQLiteError(code: code, "interrupted")
    case SQLiteCode.busy, SQLiteCode.locked: throw SQLiteError(code: code, "database is locked")
    default: throw other.lastError
    }
  }

  // MARK: - Callbacks

  /// Waits for a short time. Returns false if the wait for a lock must end.
  fileprivate func waitForLock() -> Bool {
    if isStopped() { return false }
    if !hasWaited { onWait() }
    hasWaited = true
    _ = poll(nil, 0, 2)
    return true
  }

  fileprivate func isRefused(_ action: SQLiteAction) -> Bool {
    guard let reason = refusal(action) else { return false }
    refusalReason = refusalReason ?? reason
    return true
  }
}

private func connection(_ context: UnsafeMutableRawPointer?) -> SQLiteConnection? {
  context.map { Unmanaged<SQLiteConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// The callback that SQLite calls when a database is locked. It returns 1 to try again, and 0 to fail.
private func busyHandler(_ context: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
  connection(context)?.waitForLock() == true ? 1 : 0
}

/// The callback that SQLite calls during a statement. It returns 1 to interrupt the statement, and 0 to continue.
private func progressHandler(_ context: UnsafeMutableRawPointer?) -> Int32 {
  connection(context)?.isStopped() == true ? 1 : 0
}

/// The callback that SQLite calls for each action of a statement. It returns SQLITE_DENY (1) to refuse the action.
private func authorizer(
  _ context: UnsafeMutableRawPointer?, _ code: Int32, _ first: UnsafePointer<CChar>?,
  _ second: UnsafePointer<CChar>?, _ database: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
) -> Int32 {
  guard let action = SQLiteAction(code: code, first, second) else { return 0 }
  return connection(context)?.isRefused(action) == true ? 1 : 0
}

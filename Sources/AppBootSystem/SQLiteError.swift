/// An error of SQLite, with SQLite's message.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// SQLite's message.
  package let description: String

  package init(code: Int32, _ description: String) {
    (self.code, self.description) = (code, description)
  }
}

/// An error in an SQL script, with its place.
package struct SQLiteScriptError: Error, Equatable, Sendable {
  /// SQLite's error, or the reason why the statement was refused.
  package let error: SQLiteError
  /// The line of the mistake, from 1. If SQLite reports no offset, it is the statement's first line.
  package let line: Int
  /// The statement, without the comments before it.
  package let statement: String
}

/// The result codes of SQLite (sqlite3.h).
enum SQLiteCode {
  static let ok: Int32 = 0
  static let busy: Int32 = 5
  static let locked: Int32 = 6
  static let interrupt: Int32 = 9
  static let row: Int32 = 100
  static let done: Int32 = 101
}

/// An action of a statement that ``SQLiteConnection/refusal`` can refuse (`sqlite3_set_authorizer`).
package enum SQLiteAction: Equatable, Sendable {
  /// The statement is `BEGIN`, `COMMIT` or `ROLLBACK`. Savepoints are not included.
  case transaction
  /// The statement is `ATTACH` or `DETACH`.
  case attachment
  /// The statement changes the rows or the definition of a table.
  case change(table: String)

  /// Creates the action from an authorizer's code and arguments (sqlite.org/c3ref/c_alter_table.html); `nil` for
  /// others.
  init?(code: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
    switch code {
    // SQLITE_CREATE_TABLE, SQLITE_DELETE, SQLITE_DROP_TABLE, SQLITE_INSERT, SQLITE_UPDATE
    case 2, 9, 11, 18, 23: self = .change(table: first.map { String(cString: $0) } ?? "")
    // SQLITE_ALTER_TABLE has the name of the database first.
    case 26: self = .change(table: second.map { String(cString: $0) } ?? "")
    // SQLITE_TRANSACTION
    case 22: self = .transaction
    // SQLITE_ATTACH, SQLITE_DETACH
    case 24, 25: self = .attachment
    default: return nil
    }
  }
}

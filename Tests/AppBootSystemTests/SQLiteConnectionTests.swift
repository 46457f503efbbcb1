import AppBootTestSupport
import Testing

@testable import AppBootSystem

/// These tests fail if the machine has no SQLite: install the package libsqlite3-0.
@Suite("SQLiteConnection")
struct SQLiteConnectionTests {
  private let directory: TemporaryDirectory
  private let library: SQLiteLibrary

  init() throws {
    directory = try TemporaryDirectory()
    library = try SQLiteLibrary()
  }

  private func open(_ name: String = "a.db", readOnly: Bool = false) throws -> SQLiteConnection {
    try SQLiteConnection(directory.file(name), readOnly: readOnly, library: library)
  }

  private func run(_ script: String, on connection: SQLiteConnection) throws {
    try connection.run(Array(script.utf8))
  }

  /// Returns the error of a script.
  private func error(of script: String, on connection: SQLiteConnection) throws -> SQLiteScriptError {
    try #require(throws: SQLiteScriptError.self) { try connection.run(Array(script.utf8)) }
  }

  @Test("The error for a library that is missing or is not SQLite names the library")
  func missing() {
    let missing = #expect(throws: DynamicLibraryError.self) { try SQLiteLibrary(named: "libappboot-none.so") }
    #expect(missing?.description.contains("libappboot-none.so") == true)
    let other = Host.platform == "linux" ? "libc.so.6" : "/usr/lib/libSystem.B.dylib"
    let wrong = #expect(throws: DynamicLibraryError.self) { try SQLiteLibrary(named: other) }
    #expect(wrong?.description.contains("sqlite3_open_v2") == true)
  }

  @Test("Statements change a database, and another connection reads it")
  func statements() throws {
    let connection = try open()
    try connection.execute("CREATE TABLE t (a INTEGER, b TEXT)")
    try connection.execute("INSERT INTO t VALUES (?, ?), (2, NULL)", "1", "é'")
    #expect(try open(readOnly: true).rows("SELECT a, b FROM t ORDER BY a") == [["1", "é'"], ["2", ""]])
  }

  @Test("A file that is not a database is an error at the first read")
  func noDatabase() throws {
    try FileSystem.writeFile(atomically: Array("a text that is no database".utf8), to: directory.file("a.db"))
    let connection = try open()
    let error = #expect(throws: SQLiteError.self) { try connection.rows("SELECT 1 FROM sqlite_master") }
    #expect(error?.description == "file is not a database")
  }

  @Test("A file that does not exist cannot be opened read only")
  func noFile() throws {
    let error = #expect(throws: SQLiteError.self) { try open(readOnly: true) }
    #expect(error?.description == "unable to open database file")
  }

  @Test(
    "Every statement of a script runs: with comments, triggers and strings, or without a last semicolon",
    arguments: [
      "CREATE TABLE t (a); INSERT INTO t VALUES (1)",
      "\u{FEFF}-- a; b\nCREATE TABLE t (a); /* ; */ ;; INSERT INTO t VALUES (1); -- end",
      "CREATE TABLE t (a);\r\nINSERT INTO t VALUES (1);\r\n/* open",
      "CREATE TABLE s (a); CREATE TABLE t (a);"
        + "CREATE TRIGGER r AFTER INSERT ON s BEGIN INSERT INTO t VALUES (1); END; INSERT INTO s VALUES (';--')",
    ])
  func scripts(script: String) throws {
    let connection = try open()
    try run(script, on: connection)
    #expect(try connection.rows("SELECT * FROM t") == [["1"]])
  }

  @Test("A script without statements does nothing", arguments: ["", " \n", ";", "-- a", "/*", "/**/"])
  func empty(script: String) throws { try run(script, on: open()) }

  @Test(
    "The error of a script with one wrong character shows that character", arguments: ["-", "/", "\u{FEFF}x"])
  func character(script: String) throws {
    let error = try error(of: script, on: open())
    #expect(error.statement == String(script.suffix(1)))
    #expect(error.line == 1)
  }

  @Test("The error of a script has the line of the mistake, and the statement")
  func mistakes() throws {
    let connection = try open()
    let unknown = try error(
      of: "-- users\nCREATE TABLE a (b);\n\nINSERT INTO c\nVALUES (1);\n", on: connection)
    #expect(unknown.error.description == "no such table: c")
    #expect(unknown.line == 4)
    #expect(unknown.statement == "INSERT INTO c\nVALUES (1);")
    let syntax = try error(of: "CREATE TABLE d (\n  e,\n  f(,\n  g);\nSELECT 1;", on: connection)
    #expect(syntax.error.description == #"near "(": syntax error"#)
    #expect([1, 3].contains(syntax.line), "SQLite before 3.38 does not know the line")
    #expect(syntax.statement == "CREATE TABLE d (\n  e,\n  f(,\n  g);")
    let constraint = try error(
      of: "CREATE TABLE h (i UNIQUE);\nINSERT INTO h VALUES\n(1), (1)\n", on: connection)
    #expect(constraint.error.description == "UNIQUE constraint failed: h.i")
    #expect(constraint.line == 2)
    #expect(constraint.statement == "INSERT INTO h VALUES\n(1), (1)")
  }

  @Test("Actions of scripts can be refused; statements outside of scripts are not checked")
  func refusals() throws {
    let connection = try open()
    connection.refusal = { $0 == .transaction || $0 == .change(table: "mine") ? "not here" : nil }
    try connection.execute("CREATE TABLE mine (a)")
    try connection.execute("BEGIN")
    let refused = [
      "COMMIT", "END", "ROLLBACK", "BEGIN EXCLUSIVE", "INSERT INTO mine VALUES (1)", "DELETE FROM mine",
      "UPDATE mine SET a = 1", "DROP TABLE mine", "ALTER TABLE mine RENAME TO yours",
      "ALTER TABLE mine ADD b",
    ]
    for statement in refused {
      #expect(try error(of: statement, on: connection).error.description == "not here", "\(statement)")
    }
    try run(
      "SAVEPOINT a; CREATE TABLE other (a); ROLLBACK TO a; RELEASE a; SELECT * FROM mine", on: connection)
    try connection.execute("COMMIT")
  }

  @Test("A stopped connection interrupts an endless statement")
  func interruption() throws {
    let connection = try open()
    var questions = 0
    connection.isStopped = {
      questions += 1
      return questions > 3
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    #expect(try error(of: endless, on: connection).error.code & 0xff == SQLiteCode.interrupt)
  }

  @Test("A connection waits for the lock of another one, reports it once, and can be stopped")
  func locks() throws {
    let (first, second) = (try open(), try open())
    try first.execute("BEGIN IMMEDIATE")
    var (notes, questions) = (0, 0)
    second.onWait = { notes += 1 }
    second.isStopped = {
      questions += 1
      return questions > 3
    }
    let error = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(error.map { $0.code & 0xff } == SQLiteCode.busy)
    #expect(notes == 1)
    second.isStopped = {
      try? first.execute("COMMIT")
      return false
    }
    try second.execute("BEGIN IMMEDIATE")
  }

  @Test(
    "A copy replaces the content of another database while a third connection holds a write lock")
  func copies() throws {
    let source = try open()
    try run("CREATE TABLE t (a); INSERT INTO t VALUES (1)", on: source)
    let writer = try open()
    try writer.execute("BEGIN IMMEDIATE")
    let copy = try open("b.db")
    try copy.execute("CREATE TABLE u (a)")
    try source.copy(to: copy)
    #expect(try copy.rows("SELECT name FROM sqlite_master") == [["t"]])
    #expect(try copy.rows("SELECT * FROM t") == [["1"]])
    try SQLiteConnection(":memory:", library: library).copy(to: copy)
    #expect(try copy.rows("SELECT name FROM sqlite_master") == [])
  }

  @Test("A stopped copy leaves the other database unchanged")
  func stoppedCopy() throws {
    let (source, copy) = (try open(), try open("b.db"))
    try run("CREATE TABLE t (a)", on: source)
    try run("CREATE TABLE u (a)", on: copy)
    source.isStopped = { true }
    let error = #expect(throws: SQLiteError.self) { try source.copy(to: copy) }
    #expect(error.map { $0.code & 0xff } == SQLiteCode.interrupt)
    #expect(try copy.rows("SELECT name FROM sqlite_master") == [["u"]])
  }

  @Test("A copy over a file that is not a database is an error, and the file stays unchanged")
  func copyOverText() throws {
    let text = Array("a text of several words that is no database".utf8)
    try FileSystem.writeFile(atomically: text, to: directory.file("b.db"))
    let source = try open()
    try run("CREATE TABLE t (a)", on: source)
    let error = #expect(throws: SQLiteError.self) { try source.copy(to: open("b.db")) }
    #expect(error?.description == "file is not a database")
    #expect(try FileSystem.readFile(directory.file("b.db")) == text)
  }
}

import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// These tests fail if the machine has no SQLite: install the package libsqlite3-0.
@Suite("MigrateStore", .ownThread)
struct MigrateStoreTests {
  private let directory: TemporaryDirectory
  private let library: SQLiteLibrary

  init() throws {
    directory = try TemporaryDirectory()
    library = try SQLiteLibrary()
    try FileSystem.createDirectory(directory.file("migrations"))
  }

  // MARK: - Helpers

  private func write(_ name: String, _ sql: String) throws { try directory.write("migrations/\(name)", sql) }

  private func remove(_ name: String) throws { try FileSystem.remove(directory.file("migrations/\(name)")) }

  private func launch(_ parameters: String = "", entry: String = "", after: String = "") -> TestLaunch {
    var launch = TestLaunch(
      #"[ { "command": "MigrateStore", "with": { "database": "a.db" \#(parameters) } \#(entry) } \#(after) ]"#
    )
    launch.directory = directory.path
    return launch
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    try launch.run().failures.first?.state.failure?.description ?? "no failure"
  }

  private func connect(_ name: String = "a.db") throws -> SQLiteConnection {
    try SQLiteConnection(directory.file(name), library: library)
  }

  private func rows(_ query: String, of name: String = "a.db") throws -> [[String]] {
    try connect(name).rows(query)
  }

  private func tables(of name: String = "a.db") throws -> [String] {
    try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", of: name).map { $0[0] }
  }

  private func numbers() throws -> [String] {
    try rows("SELECT number FROM appboot_migrations ORDER BY number").map { $0[0] }
  }

  // MARK: - Applying

  @Test("New files are applied in ascending order, each once, and recorded with digest and time")
  func order() throws {
    try write("010-ten.sql", "INSERT INTO t VALUES (10)")
    for number in 2...9 { try write("\(number)_n.sql", "INSERT INTO t VALUES (\(number));") }
    try write("001-create.sql", "CREATE TABLE t (a);\n")
    try write("README.md", "about the files")
    try write(".011-hidden.sql", "an error")
    let first = try launch().run()
    #expect(first[0].details.note == "10 applied, at 010-ten.sql")
    #expect(first[0].details.spans.map(\.name).first == "001-create.sql")
    #expect(try rows("SELECT a FROM t").map { $0[0] } == (2...10).map(String.init))
    let recorded = try rows("SELECT * FROM appboot_migrations WHERE number = 1")[0]
    #expect(recorded[1] == "001-create.sql")
    #expect(recorded[2] == SHA256.hexadecimal(of: Array("CREATE TABLE t (a);\n".utf8)))
    #expect(recorded[3].hasPrefix("20") && recorded[3].hasSuffix("Z"))
    let second = try launch().run()
    #expect(second.succeeded)
    #expect(second[0].details.note == "up to date, at 010-ten.sql")
    try write("011-more.sql", "INSERT INTO t VALUES (11)")
    #expect(try launch().run()[0].details.note == "1 applied, at 011-more.sql")
  }

  @Test("A database that is up to date is only read, so a write lock does not block the step")
  func upToDate() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    let other = try connect()
    try other.execute("BEGIN IMMEDIATE")
    #expect(try launch().run().succeeded)
  }

  @Test("The step runs off the main lane, and creates the database's directory")
  func lane() throws {
    #expect(MigrateStore.lane == .background)
    try write("001-a.sql", "CREATE TABLE t (a)")
    var launch = launch(#", "directory": "{env.FROM}""#)
    launch.commands = launch.commands.replacing("a.db", with: "data/{env.NAME}.db")
    launch.environment = ["NAME": "b", "FROM": "migrations"]
    #expect(try launch.run().succeeded)
    #expect(try tables(of: "data/b.db") == ["appboot_migrations", "t"])
  }

  // MARK: - Failures

  @Test("A failing file leaves the database unchanged, and the error names file, line and statement")
  func failing() throws {
    try write("001-create.sql", "CREATE TABLE t (a UNIQUE)")
    try write(
      "002-fill.sql", "INSERT INTO t VALUES (1);\nCREATE TABLE u (a);\n-- twice\nINSERT INTO t\nVALUES (1);\n"
    )
    try write("003-more.sql", "CREATE TABLE v (a)")
    #expect(
      try failure(launch()) == """
        migrations/002-fill.sql:4: UNIQUE constraint failed: t.a
          INSERT INTO t
          VALUES (1);
        nothing of this file is kept: a.db stays at 001-create.sql
        """)
    #expect(try tables() == ["appboot_migrations", "t"])
    #expect(try rows("SELECT * FROM t") == [])
    #expect(try numbers() == ["1"])
    try write("002-fill.sql", "INSERT INTO t VALUES (1)")
    #expect(try launch().run()[0].details.note == "2 applied, at 003-more.sql")
  }

  @Test("A failing first file leaves an empty database")
  func failingFirst() throws {
    try write("001-a.sql", "CREATE TABLE t (a);\nSELECT * FORM t;")
    let message = try failure(launch())
    #expect(message.hasPrefix("migrations/001-a.sql:2: near \"FORM\": syntax error\n  SELECT * FORM t;\n"))
    #expect(message.hasSuffix("nothing of this file is kept: a.db stays without migrations"))
    #expect(try tables() == [])
  }

  @Test(
    "A statement that would leave the transaction is refused",
    arguments: ["BEGIN", "COMMIT", "END", "ROLLBACK", "BEGIN; CREATE TABLE u (a); COMMIT"])
  func transactions(statement: String) throws {
    try write("001-a.sql", "CREATE TABLE t (a);\n\(statement);")
    let message = try failure(launch())
    #expect(
      message.hasPrefix(
        "migrations/001-a.sql:2: the file is one transaction already: remove BEGIN, COMMIT (END) and ROLLBACK\n"
      ))
    #expect(try tables() == [])
  }

  @Test("A conflict clause that rolls back the transaction leaves nothing of the file")
  func rollbackClause() throws {
    try write("001-a.sql", "CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK);\nINSERT INTO t VALUES (1), (1);")
    #expect(try failure(launch()).hasPrefix("migrations/001-a.sql:2: UNIQUE constraint failed: t.a\n"))
    #expect(try tables() == [])
  }

  @Test(
    "A file that attaches a database or changes the table of migrations is refused; savepoints are allowed")
  func refusedStatements() throws {
    try write("001-a.sql", "SAVEPOINT s; CREATE TABLE t (a); RELEASE s;")
    try launch().run()
    try write("002-b.sql", "ATTACH 'b.db' AS b")
    #expect(try failure(launch()).contains("about one database: remove ATTACH and DETACH"))
    try write("002-b.sql", "DELETE FROM appboot_migrations")
    #expect(try failure(launch()).contains("the table appboot_migrations belongs to MigrateStore"))
    #expect(try numbers() == ["1"])
  }

  @Test("A secret that begins before the cut of a statement is not shown")
  func secretStatement() throws {
    let start = "SELECT '" + String(repeating: "x", count: 588)
    try write("001-a.sql", "\(start)sesame' FROM none;")
    var launch = launch()
    launch.members = #""secrets": ["KEY"], "#
    launch.environment = ["KEY": "sesame"]
    let failure = try failure(launch)
    #expect(failure.contains("x***") && !failure.contains("xs"))
  }

  @Test("A long statement is cut in the message")
  func longStatement() throws {
    try write(
      "001-a.sql", "INSERT INTO t VALUES\n" + (1...100).map { "(\($0))" }.joined(separator: ",\n") + ";")
    let lines = try failure(launch()).split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines[8] == "  (7), …")
  }

  // MARK: - The directory

  @Test("A changed file that was applied is refused before anything is applied")
  func changed() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    let time = try rows("SELECT applied_at FROM appboot_migrations")[0][0]
    try write("001-a.sql", "CREATE TABLE t (a, b)")
    try write("002-b.sql", "CREATE TABLE u (a)")
    #expect(
      try failure(launch())
        == "migrations: 001-a.sql has changed since it was applied, \(time): restore the file, and write the change into a new one"
    )
    #expect(try tables() == ["appboot_migrations", "t"])
    try write("001-renamed.sql", "CREATE TABLE t (a)")
    try remove("001-a.sql")
    #expect(try launch().run().succeeded, "A new name is no change")
  }

  @Test("A missing file that was applied is refused, even if it is the last one")
  func missing() throws {
    for number in 1...3 { try write("00\(number)-n.sql", "CREATE TABLE t\(number) (a)") }
    try launch().run()
    try remove("002-n.sql")
    try write("004-n.sql", "CREATE TABLE t4 (a)")
    #expect(try failure(launch()).hasPrefix("migrations: 002-n.sql, applied 20"))
    #expect(try failure(launch()).hasSuffix("Z, is missing: restore the file"))
    try remove("003-n.sql")
    try remove("004-n.sql")
    let message = try failure(launch())
    #expect(message.hasPrefix("migrations has 2 problems:\n  002-n.sql, applied "))
    #expect(
      message.hasSuffix(
        "is missing: a.db is newer than these files; use the version of the app that has the file, or a backup"
      ))
    #expect(try numbers() == ["1", "2", "3"])
  }

  @Test("Files without a number, equal numbers and zero bytes are reported at once")
  func names() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try write("1_b.sql", "CREATE TABLE t (a)")
    try write("create.sql", "CREATE TABLE t (a)")
    try write("2-c.sql", "CREATE TABLE u (a)\0")
    try write("99999999999999999999-d.sql", "")
    #expect(
      try failure(launch()) == """
        migrations has 4 problems:
          2-c.sql contains a zero byte: save it as UTF-8
          the number of 99999999999999999999-d.sql is too large
          create.sql has no number: begin its name with the next one, as in 001-create-users.sql
          001-a.sql and 1_b.sql have the same number: give one of them the next free number
        """)
    #expect(!FileSystem.exists(directory.file("a.db")))
  }

  @Test("A gap between the numbers is refused, even before the first file")
  func gaps() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try write("003-c.sql", "CREATE TABLE u (a)")
    #expect(
      try failure(launch())
        == "migrations: no file has a number between those of 001-a.sql and 003-c.sql: restore it, or number the files without gaps"
    )
    #expect(try tables() == [])
    try remove("001-a.sql")
    #expect(
      try failure(launch()).hasPrefix("migrations: 003-c.sql is the first file, and its number is not 1: "))
    try remove("003-c.sql")
    try write("000-z.sql", "CREATE TABLE t (a)")
    #expect(try launch().run().succeeded, "The first number may be 0")
  }

  @Test("A new file with a number below that of an applied one is refused")
  func late() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    try write("000-b.sql", "CREATE TABLE u (a)")
    #expect(
      try failure(launch())
        == "migrations: 000-b.sql is new and comes before 001-a.sql, which is applied: give it the next free number"
    )
  }

  @Test("A directory that is missing or without SQL files is an error")
  func noFiles() throws {
    #expect(try failure(launch()) == #""migrations" has no SQL file: name the first one 001-NAME.sql"#)
    #expect(
      try failure(launch(#", "directory": "sql""#))
        == #"there is no directory "sql": create it, or name another one in "directory""#)
  }

  @Test("A file that is not a database is an error that names it, and stays unchanged")
  func noDatabase() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try directory.write("a.db", "a text that is no database")
    #expect(try failure(launch()) == #"cannot use "a.db": file is not a database"#)
    #expect(try FileSystem.readFile(directory.file("a.db")) == Array("a text that is no database".utf8))
  }

  @Test("Without SQLite the step reports a missing precondition, and names the package to install")
  func noLibrary() throws {
    let error = try #require(throws: MissingSQLite.self) {
      try StoredDatabase("a.db", in: directory.path, library: "libappboot-none.so") { false }
    }
    let failure = Failure(describing: error)
    #expect(failure.isMissingPrecondition)
    #expect(failure.message.contains("libsqlite3-0 (Debian, Ubuntu)"))
    #expect(failure.message.contains("libappboot-none.so"))
  }

  // MARK: - Other launches, timeouts

  @Test("Eight launches at once apply each file once, and all succeed")
  func atOnce() async throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    for number in 2...9 { try write("00\(number)-n.sql", "INSERT INTO t VALUES (\(number))") }
    let plans = try (0..<8).map { _ in try launch().plan() }
    let records = await withTaskGroup(of: StartupRecord.self) { group in
      for plan in plans { group.addTask { await plan.run() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(records.compactMap(\.failures.first?.state.failure?.message) == [])
    #expect(try rows("SELECT a FROM t").map { $0[0] } == (2...9).map(String.init))
    #expect(try numbers() == (1...9).map(String.init))
  }

  @Test("A launch that waits for another one applies only what that one has not applied")
  func waiting() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try write("002-b.sql", "INSERT INTO t VALUES (2)")
    let other = try connect()
    try other.execute("BEGIN IMMEDIATE")
    let file = MigrationFile(number: 1, name: "001-a.sql", bytes: Array("CREATE TABLE t (a)".utf8))
    try other.run(file.bytes)
    try MigrationHistory.add(file, to: other)
    let gate = LineGate("a.db is locked")
    var configuration = StartupRunner.Configuration()
    configuration.observers = [gate]
    let runner = StartupRunner(try launch().plan(), configuration: configuration)
    let thread = try Thread.start(name: "test") { _ = runner.runBlocking() }
    #expect(gate.wait() == ": waiting for the other connection")
    try other.execute("COMMIT")
    thread.join()
    #expect(runner.snapshot().record[0].details.note == "1 applied, at 002-b.sql")
    #expect(try rows("SELECT a FROM t") == [["2"]])
  }

  @Test("The entry's timeout ends the wait for a lock, and the failure names the lock")
  func lockTimeout() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    let other = try connect()
    try other.execute("BEGIN IMMEDIATE")
    // Within this time the step must meet the lock on a busy machine too.
    let record = try launch(entry: #", "timeout": "2s""#).run()
    #expect(record[0].state.failure?.message == "timed out after 2s")
    #expect(record[0].details.lastOutput == "a.db is locked: waiting for the other connection")
    try other.execute("COMMIT")
    #expect(try launch().run().succeeded)
  }

  @Test("The entry's timeout interrupts a statement, and its file is rolled back")
  func statementTimeout() throws {
    try write(
      "001-a.sql",
      "CREATE TABLE t (a); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    )
    let record = try launch(entry: #", "timeout": "30ms""#).run()
    #expect(record[0].state.failure?.message == "timed out after 30ms")
    // This lock is free once the interrupted transaction is rolled back.
    try connect().execute("BEGIN IMMEDIATE")
    #expect(try tables() == [])
  }

  // MARK: - Backup and undo

  @Test("A backup is made before the first new file, and only if there is one")
  func backup() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch(#", "backup": true"#).run()
    #expect(!FileSystem.exists(directory.file("a.db.before-001")), "An empty database is not copied")
    try connect().execute("INSERT INTO t VALUES (7)")
    try FileSystem.setPermissions(directory.file("a.db"), to: 0o600)
    try write("002-b.sql", "DELETE FROM t")
    let record = try launch(#", "backup": true"#).run()
    #expect(record[0].details.spans.map(\.name) == ["backup", "002-b.sql"])
    #expect(try rows("SELECT a FROM t", of: "a.db.before-002") == [["7"]])
    #expect(try FileSystem.permissions(directory.file("a.db.before-002")) == 0o600)
    try FileSystem.remove(directory.file("a.db.before-002"))
    try launch(#", "backup": true"#).run()
    #expect(!FileSystem.exists(directory.file("a.db.before-002")))
  }

  @Test("A backup at a path replaces the previous one, and is one file even for a write-ahead database")
  func backupAtPath() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    try connect().execute("PRAGMA journal_mode = WAL")
    for number in 2...3 {
      try write("00\(number)-b.sql", "INSERT INTO t VALUES (\(number))")
      #expect(try launch(#", "backup": "old/b.db""#).run().succeeded)
    }
    #expect(try rows("SELECT a FROM t", of: "old/b.db") == [["2"]])
    #expect(try FileSystem.list(directory.file("old")) == ["b.db"])
    #expect(try FileSystem.list(directory.path) == ["a.db", "migrations", "old"])
  }

  @Test("A backup over the database or over another kind of file is refused, and nothing is applied")
  func wrongBackup() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    try write("002-b.sql", "INSERT INTO t VALUES (2)")
    try directory.write("notes.txt", "notes that are no database")
    #expect(
      try failure(launch(#", "backup": "./a.db""#))
        == #""./a.db" is the database itself: name another file in "backup""#)
    #expect(
      try failure(launch(#", "backup": "notes.txt""#))
        == #"cannot use "notes.txt" as the backup: file is not a database"#)
    #expect(try numbers() == ["1"])
    #expect(try FileSystem.readFile(directory.file("notes.txt")) == Array("notes that are no database".utf8))
  }

  /// A step that fails, and rolls the launch back.
  private let rollback =
    #", { "command": "RunProcess", "onFailure": "rollback", "with": { "arguments": ["false"] } }"#

  @Test("An undo restores the database as it was before the step, in a write-ahead database too")
  func undo() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    let other = try connect()
    try other.execute("PRAGMA journal_mode = WAL")
    try other.execute("INSERT INTO t VALUES (1)")
    try write("002-b.sql", "DELETE FROM t")
    try write("003-c.sql", "DROP TABLE t")
    let record = try launch(#", "backup": true"#, after: rollback).run()
    #expect(record[0].details.note == "2 applied, at 003-c.sql")
    #expect(record[0].details.undo?.failure == nil)
    #expect(record[0].details.undo != nil)
    #expect(try other.rows("SELECT a FROM t") == [["1"]], "An open connection sees it as well")
    #expect(try numbers() == ["1"])
  }

  @Test("An undo after several attempts restores the database as it was before the first one")
  func undoOfAttempts() throws {
    try connect().execute("CREATE TABLE pre (a)")
    try write("001-a.sql", "CREATE TABLE one (a)")
    try write("002-b.sql", "INSERT INTO nothing VALUES (1)")
    // The first attempt has read the wrong file before it applies the first one.
    let script =
      "until grep -q 'TABLE one' a.db; do sleep 0.01; done; "
      + "echo 'CREATE TABLE two (a);' > good; mv good migrations/002-b.sql"
    let others =
      #", { "command": "RunProcess", "id": "fix", "after": [], "with": { "arguments": ["sh", "-c", "\#(script)"] } }"#
      + #", { "command": "RunProcess", "after": ["MigrateStore", "fix"], "onFailure": "rollback", "#
      + #""with": { "arguments": ["false"] } }"#
    let retry = #", "retry": { "attempts": 500, "backoff": "10ms", "maximumBackoff": "10ms" }"#
    let record = try launch(#", "backup": true"#, entry: retry, after: others).run()
    #expect(record[0].details.note == "2 applied, at 002-b.sql")
    #expect(record[0].details.undo != nil && record[0].details.undo?.failure == nil)
    #expect(try tables() == ["pre"])
  }

  @Test("An undo of a database that was empty needs no backup")
  func undoOfEmpty() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    let record = try launch(after: rollback).run()
    #expect(record[0].details.undo?.failure == nil)
    #expect(try tables() == [])
  }

  @Test("An undo of a step that applied nothing changes nothing")
  func undoOfNothing() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    let record = try launch(after: rollback).run()
    #expect(record[0].details.undo != nil && record[0].details.undo?.failure == nil)
    #expect(try tables() == ["appboot_migrations", "t"])
  }

  @Test("An undo without a backup fails, and names the migrations that stay")
  func undoWithoutBackup() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    try write("002-b.sql", "CREATE TABLE u (a)")
    let record = try launch(after: rollback).run()
    #expect(
      record[0].details.undo?.failure?.message
        == #"a.db keeps 002-b.sql, because there is no backup to restore: set "backup" to true"#)
    #expect(try numbers() == ["1", "2"])
  }

  @Test("An undo names the file in its error if the file is no longer a database")
  func undoOfDamaged() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    let damage =
      #", { "command": "RunProcess", "onFailure": "rollback", "#
      + #""with": { "arguments": ["sh", "-c", "echo no database > a.db; exit 1"] } }"#
    let record = try launch(after: damage).run()
    #expect(record[0].details.undo?.failure?.message == #"cannot use "a.db": file is not a database"#)
  }

  @Test("An undo refuses a database that another launch has migrated further")
  func undoAfterOthers() throws {
    try write("001-a.sql", "CREATE TABLE t (a)")
    try launch().run()
    try write("002-b.sql", "CREATE TABLE u (a)")
    let path = directory.file("a.db")
    let later = #", { "command": "MigrateFurther", "onFailure": "rollback", "with": { "path": "\#(path)" } }"#
    var launch = launch(#", "backup": true"#, after: later)
    launch.registry.register(MigrateFurther.self)
    let record = try launch.run()
    #expect(
      record[0].details.undo?.failure?.message
        == "a.db is not restored, because it has since been migrated further: the copy from before is a.db.before-002"
    )
    #expect(try numbers() == ["1", "2", "3"])
  }

  // MARK: - The manifest

  @Test(
    "A mistake in the parameters is reported before the launch",
    arguments: [
      ("{}", #"MigrateStore needs "database""#),
      (#"{ "database": "" }"#, #""database" must not be empty"#),
      (#"{ "database": "a", "directory": "{evn.A}" }"#, #""directory": unknown placeholder {evn.A}"#),
      (#"{ "database": "a", "backup": "" }"#, #""backup" must not be empty"#),
      (#"{ "database": "a", "backup": 1 }"#, #""backup" must be true or false, or a string, not a number"#),
    ])
  func mistakes(parameters: String, message: String) throws {
    let problems = try TestLaunch(#"[ { "command": "MigrateStore", "with": \#(parameters) } ]"#).problems()
    #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
  }
}

/// Records a migration with the number 3, and fails.
private struct MigrateFurther: Command {
  @Parameter("The database.") var path = ""

  func execute(in context: LaunchContext) throws {
    let file = MigrationFile(number: 3, name: "003-c.sql", bytes: [])
    try MigrationHistory.add(file, to: SQLiteConnection(path, library: SQLiteLibrary()))
    throw Failure(message: "no", type: "Test")
  }
}

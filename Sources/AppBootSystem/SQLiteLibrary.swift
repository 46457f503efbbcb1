/// The functions of SQLite's C interface that this module uses. They are found in a shared library at run time.
///
/// Their types are those of sqlite3.h. Pointers to SQLite's objects are opaque.
package struct SQLiteLibrary {
  typealias Text = UnsafePointer<CChar>
  typealias Context = UnsafeMutableRawPointer
  typealias Authorizer = @convention(c) (Context?, Int32, Text?, Text?, Text?, Text?) -> Int32
  typealias BusyHandler = @convention(c) (Context?, Int32) -> Int32
  typealias ProgressHandler = @convention(c) (Context?) -> Int32

  /// The file name of the SQLite library on this platform.
  package static var fileName: String {
    Host.platform == "linux" ? "libsqlite3.so.0" : "libsqlite3.dylib"
  }

  let open: @convention(c) (Text, UnsafeMutablePointer<OpaquePointer?>, Int32, Text?) -> Int32
  let close: @convention(c) (OpaquePointer?) -> Int32
  let errorCode: @convention(c) (OpaquePointer?) -> Int32
  let errorMessage: @convention(c) (OpaquePointer?) -> Text?
  /// The function `sqlite3_error_offset`; `nil` before SQLite 3.38.
  let errorOffset: (@convention(c) (OpaquePointer?) -> Int32)?

  let prepare:
    @convention(c) (
      OpaquePointer?, Text?, Int32, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Text?>
    ) -> Int32
  /// The function `sqlite3_bind_text`. Its last parameter is the text's destructor, or -1 to copy the text.
  let bindText: @convention(c) (OpaquePointer?, Int32, Text?, Int32, Int) -> Int32
  let step: @convention(c) (OpaquePointer?) -> Int32
  let columnCount: @convention(c) (OpaquePointer?) -> Int32
  let columnText: @convention(c) (OpaquePointer?, Int32) -> Text?
  let finalize: @convention(c) (OpaquePointer?) -> Int32

  let setAuthorizer: @convention(c) (OpaquePointer?, Authorizer?, Context?) -> Int32
  let setBusyHandler: @convention(c) (OpaquePointer?, BusyHandler?, Context?) -> Int32
  let setProgressHandler: @convention(c) (OpaquePointer?, Int32, ProgressHandler?, Context?) -> Void

  let beginBackup: @convention(c) (OpaquePointer?, Text, OpaquePointer?, Text) -> OpaquePointer?
  let stepBackup: @convention(c) (OpaquePointer?, Int32) -> Int32
  let finishBackup: @convention(c) (OpaquePointer?) -> Int32

  /// Loads the library.
  ///
  /// - Throws: `DynamicLibraryError` if the library cannot be loaded, or does not have a function.
  package init(named name: String = fileName) throws(DynamicLibraryError) {
    let library = try DynamicLibrary.open(name)
    open = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close_v2")
    errorCode = try library.function("sqlite3_extended_errcode")
    errorMessage = try library.function("sqlite3_errmsg")
    errorOffset = try? library.function("sqlite3_error_offset")
    prepare = try library.function("sqlite3_prepare_v2")
    bindText = try library.function("sqlite3_bind_text")
    step = try library.function("sqlite3_step")
    columnCount = try library.function("sqlite3_column_count")
    columnText = try library.function("sqlite3_column_text")
    finalize = try library.function("sqlite3_finalize")
    setAuthorizer = try library.function("sqlite3_set_authorizer")
    setBusyHandler = try library.function("sqlite3_busy_handler")
    setProgressHandler = try library.function("sqlite3_progress_handler")
    beginBackup = try library.function("sqlite3_backup_init")
    stepBackup = try library.function("sqlite3_backup_step")
    finishBackup = try library.function("sqlite3_backup_finish")
  }
}

extension DynamicLibrary {
  /// Returns a function of the library.
  ///
  /// Its type must be a `@convention(c)` type. The caller guarantees the type, because C symbols have no type at run
  /// time.
  fileprivate func function<Function>(_ symbol: String) throws(DynamicLibraryError) -> Function {
    unsafeBitCast(try self.symbol(symbol), to: Function.self)
  }
}

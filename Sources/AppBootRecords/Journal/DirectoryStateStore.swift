public import AppBoot
import AppBootSystem

/// A state store in a directory, with one file for each name. Only the owner can read the files.
///
/// The directory (mode 0700, with a `.gitignore`) is created at the first write. If another user may have changed the
/// directory or a file, it is not used: both must belong to this user or root, and a file must not be a link.
public final class DirectoryStateStore: StateStore {
  /// The path of the directory.
  public let path: String
  private let isPrepared = Lock(false)

  /// Creates a store in a directory.
  public init(path: String) {
    self.path = path
  }

  /// Returns the bytes that are stored under a name; `nil` if there are none.
  ///
  /// If other users may read the file, for example because it was copied, its permissions are restricted if that is
  /// possible.
  ///
  /// - Throws: ``StateStoreError`` if the name is invalid, or if the file cannot be read.
  public func read(_ name: String) throws -> [UInt8]? {
    let file = try file(name)
    guard try checkKind(of: file) else { return nil }
    return try reporting {
      try FileSystem.checkOwn(directory: path)
      return try FileSystem.readOwnFile(file, restricting: true)
    }
  }

  /// Stores bytes under a name, in a file of mode 0600. The write is atomic.
  ///
  /// - Throws: ``StateStoreError`` if the name is invalid, or if the file cannot be written.
  public func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try file(name)
    try checkKind(of: file)
    try prepare()
    try reporting {
      try FileSystem.writeFile(atomically: bytes, to: file, mode: 0o600, followingLinks: false)
    }
  }

  /// The name of the lock file of ``update(_:_:)``. It begins with a dot, so no state can have this name.
  private static let lockName = ".state.lock"
  /// The nanoseconds to wait for the lock of another process.
  private static let lockTimeout: Int64 = 5_000_000_000

  /// Replaces the bytes that are stored under a name. A lock makes updates by other processes wait.
  ///
  /// - Throws: The error of `change`; ``StateStoreError`` if the file cannot be read or written, or if another process
  ///   holds the lock for 5 s.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try prepare()
    let lockPath = FileSystem.join(path, Self.lockName)
    guard let lock = try reporting({ try FileLock.acquire(lockPath, within: Self.lockTimeout) }) else {
      let time = DurationText.exact(.nanoseconds(Self.lockTimeout))
      throw StateStoreError(
        message: "another process has held \"\(lockPath)\" for \(time): end it, and try again")
    }
    defer { lock.release() }
    try write(name, try change(try read(name)))
  }

  /// Returns true for a regular file, and false if there is no file. Opening other kinds, for example a pipe, could
  /// block.
  ///
  /// - Throws: ``StateStoreError`` for any other kind of file.
  @discardableResult
  private func checkKind(of file: String) throws -> Bool {
    switch FileSystem.kind(of: file, followingLinks: false) {
    case .regular: return true
    case nil: return false
    case .link:
      throw StateStoreError(
        message: "cannot use \"\(file)\": it is a symbolic link: move it away", isDistrust: true)
    case .directory, .socket, .other:
      throw StateStoreError(message: "\"\(file)\" is not a file: move it away")
    }
  }

  /// The path of the directory.
  public var place: String { path }

  /// Returns the result of a function, whose system errors are errors of the store.
  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SystemError {
      throw StateStoreError(message: error.description, isDistrust: error.isDistrust)
    }
  }

  /// Creates the directory if it does not exist.
  ///
  /// - Throws: ``StateStoreError`` if the directory cannot be created, or if other users can write to it.
  public func prepare() throws {
    try isPrepared.withLock { isPrepared in
      if isPrepared { return }
      let isMissing = !FileSystem.isDirectory(path)
      try reporting {
        if isMissing { try FileSystem.createDirectory(path, mode: 0o700, parents: true) }
        // After it was created: another user may have been faster.
        try FileSystem.checkOwn(directory: path)
        if isMissing {
          let ignore = FileSystem.join(path, ".gitignore")
          try FileSystem.writeFile(atomically: Array("*\n".utf8), to: ignore, followingLinks: false)
        } else {
          FileSystem.removeTemporaries(in: path)
        }
      }
      isPrepared = true
    }
  }

  private func file(_ name: String) throws(StateStoreError) -> String {
    guard ManifestScope.isPlain(name), !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 128 else {
      throw StateStoreError(
        message: "\"\(name)\" cannot name a state: use letters, digits, \"-\", \"_\" and \".\"")
    }
    return FileSystem.join(path, name)
  }
}

/// An error that prevents state from being read or stored.
public struct StateStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error message.
  public let message: String
  /// True if another user may have created or changed the directory or the file.
  package internal(set) var isDistrust = false

  /// Creates the error, for a test of the code that catches it.
  public init(message: String) { self.init(message: message, isDistrust: false) }

  init(message: String, isDistrust: Bool) { (self.message, self.isDistrust) = (message, isDistrust) }

  /// The error message.
  public var description: String { message }
}

extension LaunchPlan {
  /// Returns the plan with a change of its environment, and of the environments of its event handlers.
  ///
  /// The conditions of steps are not evaluated again.
  package func placed(_ change: (inout LaunchEnvironment) -> Void) -> Self {
    var plan = self
    change(&plan.environment)
    plan.environment.readFirstLaunch(of: outline.manifestName)
    plan.events = events.mapValues { handlers in
      var handlers = handlers
      change(&handlers.environment)
      handlers.environment.isFirstLaunch = plan.environment.isFirstLaunch
      handlers.environment.firstLaunchProblem = plan.environment.firstLaunchProblem
      return handlers
    }
    return plan
  }
}

import AppBoot
import AppBootReports
import AppBootSystem

/// An app of this user that runs on this machine. While it runs, it has a small file in the runtime directory, and
/// holds a lock on the file.
///
/// After a crash the file is left without a lock. The next query of the apps removes it.
struct ListedApp {
  private static let prefix = "app-"

  /// The path of the file.
  let file: String
  let process: Int32
  /// The directory of the manifest.
  let directory: String
  /// The state directory, whose socket answers.
  let state: String

  /// The file and the lock of this process.
  struct Listing {
    fileprivate let file: String
    fileprivate let lock: FileLock

    /// Removes the file, and releases the lock.
    func remove() {
      try? FileSystem.remove(file)
      lock.release()
    }
  }

  /// Adds this process to the list of apps. Returns `nil` if that is not possible.
  static func add(state: String, manifest: String?) -> Listing? {
    guard let runtime = RuntimeDirectory.make(), let state = FileSystem.resolve(state),
      let directory = FileSystem.resolve(FileSystem.directory(of: manifest ?? state))
    else { return nil }
    let json = JSONWriter.object { writer in
      writer.member("directory", directory)
      writer.member("state", state)
    }
    let file = FileSystem.join(runtime, "\(prefix)\(Host.processIdentifier)")
    for _ in 0..<8 {
      guard (try? FileSystem.writeFile(atomically: Array(json.utf8), to: file)) != nil else { return nil }
      // A query of the apps can remove a file that has no lock yet. The lock is then on a new, empty file.
      let lock = (try? FileLock.acquire(file)).flatMap(\.self)
      if let lock, FileSystem.size(of: file) == json.utf8.count { return Listing(file: file, lock: lock) }
      lock?.release()
    }
    return nil
  }

  /// Returns the listed apps, sorted by their directories. Some may have crashed.
  static func all() -> [ListedApp] {
    guard let runtime = RuntimeDirectory.make(), let names = try? FileSystem.list(runtime) else { return [] }
    PortLease.removeUnused(in: runtime)
    return names.compactMap { ListedApp(FileSystem.join(runtime, $0)) }
      .sorted { ($0.directory, $0.process) < ($1.directory, $1.process) }
  }

  private init?(_ file: String) {
    let name = FileSystem.lastComponent(file)
    guard name.hasPrefix(Self.prefix), let process = Int32(name.dropFirst(Self.prefix.count)),
      let bytes = try? FileSystem.readOwnFile(file),
      let root = try? JSONDocument(parsing: SourceText(name: file, bytes: bytes)).root,
      let directory = root["directory"]?.string, let state = root["state"]?.string
    else { return nil }
    (self.file, self.process, self.directory, self.state) = (file, process, directory, state)
  }

  /// The time in nanoseconds that an app has to answer.
  private static let patience: Int64 = 2_000_000_000

  /// Asks the app for its status. Returns `nil` if it has ended, and removes its file.
  ///
  /// - Throws: The error of an app that runs and does not answer.
  func status() throws -> JSONValue? {
    do {
      let status = try ControlClient(directory: state).ask(.status, timeout: Self.patience)["status"]
      let answering = try status?["process"]?.integer(as: Int32.self)
      if answering == process { return status }
      // A later app uses the state directory.
    } catch StayError.notRunning {
    } catch let error as ControlFailure where error == .ended {
    }
    // The state directory of an app that runs may have been moved or removed.
    guard let lock = try? FileLock.acquire(file) else { throw ControlFailure.silent }
    Listing(file: file, lock: lock).remove()
    return nil
  }

  /// False if the app has ended without removing its file.
  var isRunning: Bool {
    do {
      return try status() != nil
    } catch {
      return true
    }
  }
}

/// The output of `status --all`.
struct AppList {
  /// The apps with their statuses; `nil` for one that does not answer.
  private let apps: [(app: ListedApp, status: JSONValue?)]

  /// Asks all listed apps.
  init() {
    apps = ListedApp.all().compactMap { app in
      do {
        return try app.status().map { (app, $0) }
      } catch {
        return (app, nil)
      }
    }
  }

  var isEmpty: Bool { apps.isEmpty }

  func text(_ style: TextStyle) -> String {
    if isEmpty { return "no app of this user is running\n" }
    return apps.map { app, status in
      let directory = style.visible(app.directory)
      guard let status else { return "\(directory): process \(app.process) does not answer\n" }
      return "\(directory): " + StatusText(status: status, style: style).text
    }.joined(separator: "\n")
  }

  var json: String {
    JSONWriter.object { writer in
      writer.array("apps") { writer in
        for (app, status) in apps {
          writer.object { writer in
            writer.member("directory", app.directory)
            writer.member("stateDirectory", app.state)
            if status == nil { writer.member("process", Int(app.process)) }
            writer.member("answers", status != nil)
            for member in status?.members ?? [] {
              writer.member(member.key.string, json: member.value.text)
            }
          }
        }
      }
    } + "\n"
  }
}

import AppBoot
import AppBootReports
import AppBootSystem

/// An app of this user that runs on this machine. It has a small file in the runtime directory while it runs.
///
/// A crash leaves the file. The next look removes it.
struct ListedApp {
  private static let prefix = "app-"

  /// The path of the file.
  let file: String
  let process: Int32
  /// The directory of the manifest.
  let directory: String
  /// The state directory, whose socket answers.
  let state: String

  /// Lists this process. Returns the path of the file, for its removal; `nil` if it cannot be listed.
  static func add(state: String, manifest: String?) -> String? {
    guard let runtime = RuntimeDirectory.make(), let state = FileSystem.resolve(state),
      let directory = FileSystem.resolve(FileSystem.directory(of: manifest ?? state))
    else { return nil }
    let json = JSONWriter.object { writer in
      writer.member("directory", directory)
      writer.member("state", state)
    }
    let file = FileSystem.join(runtime, "\(prefix)\(Host.processIdentifier)")
    return (try? FileSystem.writeFile(atomically: Array(json.utf8), to: file)) == nil ? nil : file
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

  /// Asks the app for its status. Returns `nil` if it does not run any more or cannot be found, and removes the file if
  /// its process has ended.
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
    // The state directory of an app that runs may have been moved.
    if !Host.isRunning(process) { try? FileSystem.remove(file) }
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

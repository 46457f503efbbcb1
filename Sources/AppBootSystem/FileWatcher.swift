import AppBootC
import AppBootLibC

/// A watcher for changes of selected files below a directory: inotify(7) on Linux, kqueue(2) on Darwin, or a comparison
/// at intervals.
///
/// It does not follow symbolic links. One thread uses it.
package final class FileWatcher {
  private let root: String
  private let selection: FileSelection
  private let interval: Int64?
  /// The descriptor that is readable after a change; `nil` if the files are compared at intervals.
  package private(set) var descriptor: Int32?
  /// The time of the next comparison; `nil` if ``descriptor`` reports changes.
  package private(set) var nextLook: Int64?
  /// The selected files with what changes with their content; empty on Linux without an interval.
  private var files: [String: FileMark] = [:]
  #if os(Linux)
  /// The paths of the watched directories below the root, by their watch.
  private var directories: [Int32: String] = [:]
  #else
  private var opened: [String: Int32] = [:]
  #endif

  /// Starts to watch.
  ///
  /// - Parameter interval: The nanoseconds between two comparisons; `nil` to be notified by the system.
  /// - Throws: ``WatchError`` if the system cannot notify about all changes.
  package init(
    _ selection: FileSelection, in root: String, comparingEvery interval: Int64? = nil
  ) throws(WatchError) {
    (self.selection, self.root, self.interval) = (selection, FileSystem.resolve(root) ?? root, interval)
    if let interval {
      files = marks()
      nextLook = MonotonicClock.deadline(after: interval)
    } else {
      try begin()
    }
  }

  deinit { close() }

  /// Returns the changed files since the last call, without blocking. A path is relative to the root.
  ///
  /// - Throws: ``WatchError`` if a directory that appeared cannot be watched. The call then returns no changes.
  package func changes() throws(WatchError) -> [String] {
    guard let interval else { return try systemChanges() }
    let now = MonotonicClock.now()
    guard let due = nextLook, now >= due else { return [] }
    defer { nextLook = MonotonicClock.deadline(after: interval) }
    return compare()
  }

  /// Compares the files with those of the last comparison.
  private func compare() -> [String] {
    let new = marks()
    defer { files = new }
    return new.filter { files[$0.key] != $0.value }.keys.sorted()
      + files.keys.filter { new[$0] == nil }.sorted()
  }

  private func marks() -> [String: FileMark] {
    var marks: [String: FileMark] = [:]
    forEach(below: "") { path, isDirectory in
      if !isDirectory, let mark = FileMark(place(of: path)) { marks[path] = mark }
      return true
    }
    return marks
  }

  private func place(of path: String) -> String { path.isEmpty ? root : FileSystem.join(root, path) }

  /// Calls a function for each directory that may contain selected files, and then for the selected files in it.
  ///
  /// - Parameter visit: A function that returns false to leave a directory out.
  private func forEach(below start: String, _ visit: (_ path: String, _ isDirectory: Bool) -> Bool) {
    var rest = [start]
    while let directory = rest.popLast() {
      guard selection.mayContain(in: directory), visit(directory, true),
        let stream = opendir(place(of: directory))
      else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = FileSystem.name(of: entry)
        if name == "." || name == ".." { continue }
        let path = directory.isEmpty ? name : "\(directory)/\(name)"
        let isUnknown = entry.pointee.d_type == 0
        if entry.pointee.d_type == 4 || isUnknown && isDirectory(path) {  // DT_DIR
          rest.append(path)
        } else if selection.contains(path) {
          _ = visit(path, false)
        }
      }
    }
  }

  private func isDirectory(_ path: String) -> Bool {
    FileSystem.kind(of: place(of: path), followingLinks: false) == .directory
  }
}

/// The facts about a file that change with its content.
private struct FileMark: Equatable {
  let file: UInt64
  let size: Int64
  let time: Int64

  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let changed = status.modified
    (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
    time = Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
  }
}

/// The reason why the system does not report the changes of files.
package enum WatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The limit of the system is reached. `setting` is the name of the limit, with its value if that is known.
  case limit(setting: String, directory: String)
  /// The directory is on a network file system, where other machines change files.
  case network(directory: String, kind: String)
  /// Another error of the system, in words.
  case system(String)

  /// The error message: the problem and its fix.
  package var description: String {
    let polling = "set \"poll\": \"1s\""
    return switch self {
    case .limit(let setting, let directory):
      "\"\(directory)\" cannot be watched: the limit \(setting) is reached; raise it, select fewer directories, or "
        + polling
    case .network(let directory, let kind):
      "\"\(directory)\" is on a network file system (\(kind)), which does not report the changes of other machines: "
        + polling
    case .system(let error): "\(error); \(polling)"
    }
  }
}

#if os(Linux)

extension FileWatcher {
  /// The network file systems by their numbers (statfs(2)).
  private static let networks: [UInt64: String] = [
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x517B: "smb", 0x0102_1997: "9p",
    0x00C3_6400: "ceph", 0x5346_414F: "afs",
  ]
  // IN_MODIFY, IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE; IN_DONT_FOLLOW, IN_ONLYDIR.
  private static let mask: UInt32 = 0x2 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x0200_0000 | 0x0100_0000
  private static let (isDirectory, isMovedAway, isGone): (UInt32, UInt32, UInt32) =
    (0x4000_0000, 0x40, 0x40 | 0x200)
  private static let (isOverflow, isIgnored): (UInt32, UInt32) = (0x4000, 0x8000)

  private func begin() throws(WatchError) {
    // A `struct statfs` has about 120 bytes and begins with the type.
    var status = [UInt64](repeating: 0, count: 32)
    if appboot_statfs(root, &status) == 0, let kind = Self.networks[status[0] & 0xFFFF_FFFF] {
      throw .network(directory: root, kind: kind)
    }
    let queue = inotify_init1(O_CLOEXEC | O_NONBLOCK)  // IN_CLOEXEC and IN_NONBLOCK.
    guard queue >= 0 else {
      if errno == EMFILE { throw Self.limit("max_user_instances", root) }
      throw .system(SystemError.last("watch", root).description)
    }
    descriptor = queue
    _ = try watch(below: "")
  }

  private static func limit(_ name: String, _ directory: String) -> WatchError {
    let bytes = (try? FileSystem.readStart(of: "/proc/sys/fs/inotify/\(name)", limit: 32)) ?? []
    let value = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return .limit(setting: "fs.inotify.\(name)\(value.isEmpty ? "" : " = \(value)")", directory: directory)
  }

  /// Watches a directory and those in it. Returns the selected files in them.
  private func watch(below start: String) throws(WatchError) -> [String] {
    guard let descriptor else { return [] }
    var (files, problem): ([String], WatchError?) = ([], nil)
    forEach(below: start) { path, isDirectory in
      if problem != nil { return false }
      guard isDirectory else {
        files.append(path)
        return true
      }
      let watch = inotify_add_watch(descriptor, place(of: path), Self.mask)
      if watch >= 0 {
        directories[watch] = path
      } else if errno == ENOSPC {
        problem = Self.limit("max_user_watches", place(of: path))
      } else if path.isEmpty {
        problem = .system(SystemError.last("watch", root).description)
      }
      // A directory that is gone already has no changes.
      return watch >= 0
    }
    if let problem { throw problem }
    return files
  }

  private func systemChanges() throws(WatchError) -> [String] {
    guard let descriptor else { return [] }
    var changed: Set<String> = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retryingInterrupts { read(descriptor, &buffer, buffer.count) }
      guard count > 0 else { return changed.sorted() }
      var start = 0
      // A `struct inotify_event`: the watch, the mask, a cookie, the length of the name, and the name.
      while start + 16 <= count {
        let (watch, mask, length) = buffer.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
            bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
            Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
          )
        }
        let name = String(
          decoding: buffer[(start + 16)..<min(start + 16 + length, count)].prefix { $0 != 0 }, as: UTF8.self)
        start += 16 + length
        try handle(watch, mask, name, &changed)
      }
    }
  }

  private func handle(
    _ watch: Int32, _ mask: UInt32, _ name: String, _ changed: inout Set<String>
  ) throws(WatchError) {
    if mask & Self.isOverflow != 0 {
      // Events were lost: every file may have changed.
      changed.formUnion(try self.watch(below: ""))
      return
    }
    if mask & Self.isIgnored != 0 {
      directories[watch] = nil
      return
    }
    guard let directory = directories[watch], !name.isEmpty else { return }
    let path = directory.isEmpty ? name : "\(directory)/\(name)"
    guard mask & Self.isDirectory != 0 else {
      if selection.contains(path) { changed.insert(path) }
      return
    }
    guard selection.mayContain(in: path) else { return }
    if mask & Self.isGone != 0 {
      forget(path)
      // The files of a removed directory were removed before. Of one that was moved away, only the name is known.
      if mask & Self.isMovedAway != 0 { changed.insert(path + "/") }
    } else if mask & 0x180 != 0 {
      changed.formUnion(try self.watch(below: path))
    }
  }

  /// Removes the watches of a directory that was moved away, and of those in it.
  private func forget(_ path: String) {
    guard let descriptor else { return }
    for (watch, directory) in directories where directory == path || directory.hasPrefix(path + "/") {
      _ = inotify_rm_watch(descriptor, watch)
      directories[watch] = nil
    }
  }

  private func close() { if let descriptor { Descriptor.close(descriptor) } }
}

#else

extension FileWatcher {
  private func begin() throws(WatchError) {
    let queue = kqueue()
    guard queue >= 0 else { throw .system(SystemError.last("watch", root).description) }
    Descriptor.setCloseOnExec(queue)
    descriptor = queue
    // First opened: a change between the two is then in the queue.
    try openAll()
    files = marks()
  }

  /// Opens the directories and the selected files, of which the queue reports changes.
  private func openAll() throws(WatchError) {
    guard let descriptor else { return }
    var (present, problem): (Set<String>, WatchError?) = ([], nil)
    forEach(below: "") { path, _ in
      if problem != nil { return false }
      present.insert(path)
      if opened[path] != nil { return true }
      let file = open(place(of: path), O_EVTONLY | O_CLOEXEC | O_SYMLINK)
      guard file >= 0 else {
        if errno == EMFILE || errno == ENFILE {
          problem = .limit(setting: "of open files (ulimit -n)", directory: place(of: path))
        }
        return false
      }
      var event = kevent()
      (event.ident, event.filter) = (UInt(file), Int16(EVFILT_VNODE))
      event.flags = UInt16(EV_ADD | EV_CLEAR)
      event.fflags = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME)
      _ = kevent(descriptor, &event, 1, nil, 0, nil)
      opened[path] = file
      return true
    }
    if let problem { throw problem }
    for (path, file) in opened where !present.contains(path) {
      Descriptor.close(file)
      opened[path] = nil
    }
  }

  private func systemChanges() throws(WatchError) -> [String] {
    guard let descriptor else { return [] }
    var (event, now, hasChanged) = (kevent(), timespec(), false)
    while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {
      hasChanged = true
      // A file that was replaced by another one has a new descriptor.
      if event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME) != 0,
        let path = opened.first(where: { $0.value == Int32(event.ident) })?.key
      {
        // The files of a directory that was moved are other ones now.
        for (other, file) in opened where other == path || other.hasPrefix(path + "/") {
          Descriptor.close(file)
          opened[other] = nil
        }
      }
    }
    guard hasChanged else { return [] }
    try openAll()
    return compare()
  }

  private func close() {
    for file in opened.values { Descriptor.close(file) }
    if let descriptor { Descriptor.close(descriptor) }
  }
}

#endif

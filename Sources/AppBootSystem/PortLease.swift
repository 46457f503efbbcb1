import AppBootBase
import AppBootLibC

/// A TCP port of this machine that no other holder of a lease uses, also in other processes of this user.
///
/// It lasts until it is released, so that the port is free again when its server restarts. Two processes that look for
/// a free port at the same time get different ones.
package final class PortLease: Sendable {
  package let port: UInt16
  /// The lock of the port and the path of its file; `nil` if there is no directory for it.
  private let lock: (file: FileLock, path: String)?

  private init(_ port: UInt16, _ lock: (FileLock, String)?) { (self.port, self.lock) = (port, lock) }

  deinit {
    // The file is still locked, so that no other holder can have it.
    if let lock { try? FileSystem.remove(lock.path) }
  }

  private static let prefix = "port-"

  /// Removes the files of leases whose processes have ended without removing them.
  package static func removeUnused(in directory: String) {
    for name in (try? FileSystem.list(directory)) ?? [] where name.hasPrefix(prefix) {
      let path = FileSystem.join(directory, name)
      if let lock = try? FileLock.acquire(path) {
        try? FileSystem.remove(path)
        lock.release()
      }
    }
  }

  /// Takes the first free port of a range.
  ///
  /// - Throws: ``PortTaken`` if none is free.
  package static func take(in ports: ClosedRange<UInt16>) throws(PortTaken) -> PortLease {
    let directory = RuntimeDirectory.make()
    for port in ports {
      do throws(PortTaken) {
        return try take(port, in: directory, isOnly: ports.count == 1)
      } catch {
        if ports.count == 1 { throw error }
      }
    }
    throw .none(from: ports.lowerBound)
  }

  private static func take(
    _ port: UInt16, in directory: String?, isOnly: Bool
  ) throws(PortTaken) -> PortLease {
    var (lock, isReserved) = ((FileLock, String)?.none, false)
    if let directory {
      let path = FileSystem.join(directory, "\(prefix)\(port)")
      do throws(SystemError) {
        var file = try FileLock.acquire(path)
        if file == nil, isOnly {
          // A process that removes unused files has the lock for a moment.
          Thread.sleep(for: 20_000_000)
          file = try FileLock.acquire(path)
        }
        lock = file.map { ($0, path) }
        isReserved = lock == nil
      } catch {
        // Without a lock, only the servers that listen already are seen.
      }
    }
    if isReserved { throw .reserved(port) }
    do throws(SystemError) {
      try SocketListener.checkFree(port)
    } catch {
      if error.code == EADDRINUSE { throw .listening(port, by: PortHolder.name(ofPort: port)) }
      // The service may run as a user that is allowed to listen there.
      if error.code == EACCES, !isOnly { throw .reserved(port) }
    }
    return PortLease(port, lock)
  }
}

/// The reason why a port cannot be used.
package enum PortTaken: Error, Sendable, Hashable, CustomStringConvertible {
  /// A process listens on the port. Its name is `nil` if it is unknown.
  case listening(UInt16, by: String?)
  /// Another holder has a lease of the port.
  case reserved(UInt16)
  /// No port from this one on is free.
  case none(from: UInt16)

  /// The error message: the problem and its fix.
  package var description: String {
    let other = { (port: UInt16) in "or write { \"from\": \(port) } for the next free port" }
    return switch self {
    case .listening(let port, let holder):
      "port \(port) is taken by \(holder ?? "another process"): stop it, \(other(port))"
    case .reserved(let port):
      "port \(port) is reserved for a service of another entry or app: stop that one, \(other(port))"
    case .none(let port): "no port from \(port) on is free"
    }
  }
}

/// A namespace for the directory of small files that matter only while processes of this user run.
package enum RuntimeDirectory {
  /// Returns the directory, which exists and belongs to this user; `nil` if there is none.
  ///
  /// It is `appboot` in XDG_RUNTIME_DIR or `/run/user/UID`, or else `/tmp/appboot-UID`.
  package static func make() -> String? {
    let user = geteuid()
    let bases = [ProcessEnvironment.value(of: "XDG_RUNTIME_DIR"), "/run/user/\(user)"].compactMap(\.self)
    let places =
      bases.filter { $0.hasPrefix("/") && isOwn($0) }.map { FileSystem.join($0, "appboot") }
      + ["/tmp/appboot-\(user)"]
    return places.first { place in
      (try? FileSystem.createDirectory(place, mode: 0o700)) != nil && isOwn(place)
    }
  }

  private static func isOwn(_ path: String) -> Bool {
    FileSystem.isDirectory(path)
      && (try? FileSystem.checkOwn(directory: path, followingLinks: false)) != nil
  }
}

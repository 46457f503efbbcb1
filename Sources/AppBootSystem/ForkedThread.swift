#if os(Linux)

import AppBootLibC
import Dispatch

/// A repair for the thread of a forked process.
///
/// Swift's runtime stores the identifier of each thread in thread-local memory, and writes it into the locks of lazy
/// globals (`ulock_get_tid`, include/swift/Threading/Impl/Linux/ulock.h). After a fork the thread still has the
/// identifier of its parent's thread. The kernel then refuses to release a lock for which a second thread waits, and
/// both threads wait without end.
enum ForkedThread {
  /// Forks a process that has one thread (`fork`, POSIX). In the child, repairs that thread.
  static func fork() -> Int32 {
    let former = getpid()
    let child = linuxFork()
    if child == 0 {
      // The identifier of a process's first thread is the process's.
      var identifiers = (former, getpid())
      _ = linuxIterateObjects(replaceInObject, &identifiers)
      // libdispatch's main queue still belongs to the former identifier.
      dispatchForkedChild()
    }
    return child
  }
}

/// Binds libdispatch's main queue to the thread of a forked process. Call it before libdispatch has threads
/// (pthread_atfork(3)).
@_silgen_name("dispatch_atfork_child")
private func dispatchForkedChild()

/// Replaces the identifier in the thread-local memory of one loaded object (`dl_phdr_info`, dl_iterate_phdr(3)).
private func replaceInObject(
  _ object: UnsafeMutableRawPointer?, _ size: Int, _ identifiers: UnsafeMutableRawPointer?
) -> Int32 {
  // On 32-bit systems the layouts differ. The field for thread-local memory is the last of 64 bytes.
  guard MemoryLayout<Int>.size == 8, size >= 64, let object, let identifiers,
    let memory = object.load(fromByteOffset: 56, as: UnsafeMutableRawPointer?.self),
    let headers = object.load(fromByteOffset: 16, as: UnsafeRawPointer?.self), isSwift(object)
  else { return 0 }
  let (former, current) = identifiers.load(as: (Int32, Int32).self)
  for header in 0..<Int(object.load(fromByteOffset: 24, as: UInt16.self)) {
    // Elf64_Phdr (elf(5)): the type at 0, PT_TLS is 7; the size in memory at 40.
    let header = headers + header * 56
    guard header.load(as: UInt32.self) == 7 else { continue }
    for offset in stride(from: 0, to: header.load(fromByteOffset: 40, as: Int.self) - 3, by: 4)
    where memory.load(fromByteOffset: offset, as: Int32.self) == former {
      memory.storeBytes(of: current, toByteOffset: offset, as: Int32.self)
    }
  }
  return 0
}

/// Returns whether a loaded object is the program itself, which has no name, or one of Swift's libraries.
private func isSwift(_ object: UnsafeMutableRawPointer) -> Bool {
  guard let name = object.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self) else { return true }
  return name.pointee == 0 || strstr(name, "libswift") != nil
}

#endif

import AppBootC
import AppBootLibC

/// A poller that waits for many descriptors and a deadline, with one system call for each wait (epoll(7), kqueue(2)).
///
/// Only one thread may wait. Any thread may call `add`, `remove` and `wake`.
package final class Poller: Sendable {
  /// A condition for which a descriptor is polled.
  package enum Interest: Sendable {
    case readable, writable
  }

  private let queue: Int32
  private let waker: Int32

  /// The maximum number of descriptors that one wait reports. The next wait reports the others.
  private static var capacity: Int { 64 }

  /// Adds a descriptor. `wait` returns its `token` when it is ready or its other end has closed.
  ///
  /// Tokens must be below `UInt64.max`. Remove a descriptor before you close it.
  package func add(_ descriptor: Int32, token: UInt64, for interest: Interest = .readable) throws(SystemError)
  {
    #if os(Linux)
    let events: UInt32 = interest == .readable ? EpollEvent.readable : EpollEvent.writable
    guard control(1, descriptor, events, token) == 0 else { throw .last("wait for a descriptor") }
    #else
    let filter = interest == .readable ? EVFILT_READ : EVFILT_WRITE
    guard change(UInt(descriptor), filter, EV_ADD, token: token) == 0 else {
      throw .last("wait for a descriptor")
    }
    #endif
  }

  /// Removes a descriptor. Does nothing if it was not added.
  package func remove(_ descriptor: Int32) {
    #if os(Linux)
    _ = control(2, descriptor, 0, 0)
    #else
    _ = change(UInt(descriptor), EVFILT_READ, EV_DELETE)
    _ = change(UInt(descriptor), EVFILT_WRITE, EV_DELETE)
    #endif
  }

  /// Waits until a descriptor is ready, and returns the tokens of the ready descriptors, at most 64.
  ///
  /// Returns an empty array at the deadline and after `wake()`. A wait may report ready descriptors and a wake
  /// together. Change shared state before `wake()`, and check it after every wait. The deadline is a `MonotonicClock`
  /// time; `nil` waits without limit.
  package func wait(deadline: Int64? = nil) throws(SystemError) -> [UInt64] {
    while true {
      let left = deadline.map { max(0, $0.subtractingReportingOverflow(MonotonicClock.now()).partialValue) }
      if let tokens = collect(left) { return tokens }
      guard errno == EINTR else { throw .last("wait for descriptors") }
    }
  }

  #if os(Linux)

  package init() throws(SystemError) {
    let queue = appboot_epoll_create1(O_CLOEXEC)  // EPOLL_CLOEXEC and EFD_CLOEXEC are O_CLOEXEC.
    guard queue >= 0 else { throw .last("create an epoll instance") }
    let waker = appboot_eventfd(0, O_CLOEXEC | O_NONBLOCK)
    guard waker >= 0 else {
      defer { Descriptor.close(queue) }
      throw .last("create an event descriptor")
    }
    self.queue = queue
    self.waker = waker
    // Edge-triggered: each write is one event, so the counter is never read (epoll(7)).
    guard control(1, waker, EpollEvent.readable | EpollEvent.edgeTriggered, .max) == 0 else {
      throw .last("wait for a descriptor")
    }
  }

  deinit {
    Descriptor.close(waker)
    Descriptor.close(queue)
  }

  /// Ends the current wait, or the next one if no thread waits. Any thread may call it.
  package func wake() {
    var one: UInt64 = 1
    _ = retryingInterrupts { write(waker, &one, 8) }
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ token: UInt64) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: EpollEvent.size, alignment: 8) { event in
      event.storeBytes(of: events, as: UInt32.self)
      event.storeBytes(of: token, toByteOffset: EpollEvent.tokenOffset, as: UInt64.self)
      return appboot_epoll_ctl(queue, operation, descriptor, event.baseAddress)
    }
  }

  /// Returns the tokens of the ready descriptors; `nil` for an error, whose code is in `errno`.
  private func collect(_ nanoseconds: Int64?) -> [UInt64]? {
    withUnsafeTemporaryAllocation(byteCount: EpollEvent.size * Self.capacity, alignment: 8) { events in
      // Rounded up: a wait that ends too early would be repeated.
      let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
      let count = Int(appboot_epoll_wait(queue, events.baseAddress, Int32(Self.capacity), milliseconds))
      guard count >= 0 else { return nil }
      return (0..<count).compactMap { index in
        let offset = index * EpollEvent.size + EpollEvent.tokenOffset
        let token = events.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return token == .max ? nil : token
      }
    }
  }

  #else

  package init() throws(SystemError) {
    queue = kqueue()
    waker = -1
    guard queue >= 0 else { throw .last("create a kernel queue") }
    Descriptor.setCloseOnExec(queue)
    _ = change(0, EVFILT_USER, EV_ADD | EV_CLEAR, token: .max)
  }

  deinit { Descriptor.close(queue) }

  /// Ends the current wait, or the next one if no thread waits. Any thread may call it.
  package func wake() {
    _ = change(0, EVFILT_USER, 0, flags: UInt32(NOTE_TRIGGER), token: .max)
  }

  private func change(
    _ ident: UInt, _ filter: Int32, _ action: Int32, flags: UInt32 = 0, token: UInt64 = 0
  ) -> Int32 {
    var event = kevent()
    event.ident = ident
    event.filter = Int16(filter)
    event.flags = UInt16(action)
    event.fflags = flags
    event.udata = UnsafeMutableRawPointer(bitPattern: UInt(token))
    return kevent(queue, &event, 1, nil, 0, nil)
  }

  /// Returns the tokens of the ready descriptors; `nil` for an error, whose code is in `errno`.
  private func collect(_ nanoseconds: Int64?) -> [UInt64]? {
    withUnsafeTemporaryAllocation(of: kevent.self, capacity: Self.capacity) { events in
      let count: Int32
      if let nanoseconds {
        var time = timespec(nanoseconds: nanoseconds)
        count = kevent(queue, nil, 0, events.baseAddress, Int32(Self.capacity), &time)
      } else {
        count = kevent(queue, nil, 0, events.baseAddress, Int32(Self.capacity), nil)
      }
      guard count >= 0 else { return nil }
      return events.prefix(Int(count)).compactMap { event in
        event.filter == Int16(EVFILT_USER) ? nil : UInt64(UInt(bitPattern: event.udata))
      }
    }
  }

  #endif
}

#if os(Linux)
/// The layout of `struct epoll_event` (epoll_event(3type)), which is packed on x86-64 only.
private enum EpollEvent {
  #if arch(x86_64)
  static var size: Int { 12 }
  static var tokenOffset: Int { 4 }
  #else
  static var size: Int { 16 }
  static var tokenOffset: Int { 8 }
  #endif
  static var readable: UInt32 { 0x001 }
  static var writable: UInt32 { 0x004 }
  static var edgeTriggered: UInt32 { 1 << 31 }
}
#endif

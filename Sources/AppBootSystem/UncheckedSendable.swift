/// A value of a type that is not `Sendable`, which crosses to another thread.
///
/// `@unchecked Sendable`: the caller of ``init(_:)`` gives the value away, and only one thread uses it afterwards. It
/// is for objects that a platform passes to a callback on any thread, and that are used on the main thread.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  /// The value.
  package let value: Value

  /// Wraps a value that the caller no longer uses.
  package init(_ value: Value) { self.value = value }
}

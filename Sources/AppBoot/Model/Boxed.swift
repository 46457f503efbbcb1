/// A value that is stored on the heap. An optional of it takes 8 bytes, and it still has value semantics.
indirect enum Boxed<Value: Sendable>: Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}

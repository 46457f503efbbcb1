/// A value that stands elsewhere: 8 bytes where it is mostly left out, and still a value.
indirect enum Boxed<Value: Sendable>: Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}

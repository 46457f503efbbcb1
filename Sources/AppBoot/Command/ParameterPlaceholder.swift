/// A type with a placeholder: the value of a required ``CommandParameter`` before it is set.
///
/// For a type without a placeholder, write `@Parameter(required:)` and give the placeholder as the initial value.
public protocol ParameterPlaceholderProviding {
  /// The value.
  static var parameterPlaceholder: Self { get }
}

extension String: ParameterPlaceholderProviding {
  /// The empty text.
  public static var parameterPlaceholder: String { "" }
}

extension Bool: ParameterPlaceholderProviding {
  /// False.
  public static var parameterPlaceholder: Bool { false }
}

extension Duration: ParameterPlaceholderProviding {
  /// No time.
  public static var parameterPlaceholder: Duration { .zero }
}

extension Array: ParameterPlaceholderProviding {
  /// The empty list.
  public static var parameterPlaceholder: [Element] { [] }
}

extension Set: ParameterPlaceholderProviding {
  /// The empty set.
  public static var parameterPlaceholder: Set<Element> { [] }
}

extension Dictionary: ParameterPlaceholderProviding {
  /// The empty dictionary.
  public static var parameterPlaceholder: [Key: Value] { [:] }
}

extension ParameterPlaceholderProviding where Self: AdditiveArithmetic {
  /// Zero.
  public static var parameterPlaceholder: Self { .zero }
}

extension Double: ParameterPlaceholderProviding {}
extension Float: ParameterPlaceholderProviding {}
extension Int: ParameterPlaceholderProviding {}
extension Int8: ParameterPlaceholderProviding {}
extension Int16: ParameterPlaceholderProviding {}
extension Int32: ParameterPlaceholderProviding {}
extension Int64: ParameterPlaceholderProviding {}
extension Int128: ParameterPlaceholderProviding {}
extension UInt: ParameterPlaceholderProviding {}
extension UInt8: ParameterPlaceholderProviding {}
extension UInt16: ParameterPlaceholderProviding {}
extension UInt32: ParameterPlaceholderProviding {}
extension UInt64: ParameterPlaceholderProviding {}
extension UInt128: ParameterPlaceholderProviding {}

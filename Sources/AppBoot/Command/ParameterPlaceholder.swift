/// A type with a placeholder, which is the value of a required ``CommandParameter`` before the parameter is set.
///
/// For other types, declare the parameter with `@Parameter(required:)`. Its initial value is the placeholder.
public protocol ParameterPlaceholderProviding {
  /// The placeholder of the type.
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
  /// The duration 0.
  public static var parameterPlaceholder: Duration { .zero }
}

extension Array: ParameterPlaceholderProviding {
  /// The empty array.
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
  /// The value 0.
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

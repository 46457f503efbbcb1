extension JSONValue: ParameterValue {
  /// Any JSON value. Placeholders in its strings are not replaced.
  package static var parameterType: ParameterType<JSONValue> {
    ParameterType(.any, placeholder: null, read: { json, _ in json })
  }
}

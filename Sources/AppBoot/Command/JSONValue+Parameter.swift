extension JSONValue: ParameterValue {
  /// Any JSON value. Placeholders in its strings are not replaced.
  package static var parameterType: ParameterType<JSONValue> {
    ParameterType(.any, placeholder: null, read: { json, _ in json })
  }

  private static var null: JSONValue {
    let storage = JSONStorage(
      source: SourceText(name: "", text: "null"), nodes: [JSONNode(.null, start: 0, end: 4, next: 1)],
      start: 0)
    return JSONValue(storage: storage, index: 0)
  }
}

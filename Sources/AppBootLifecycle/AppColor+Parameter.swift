public import AppBoot

extension AppColor: ParameterValue {
  /// A string in the form `#RRGGBB`.
  public static var parameterType: ParameterType<AppColor> {
    let schema = ParameterSchema.pattern("^#[0-9A-Fa-f]{6}$", describedAs: "a colour such as \"#0A84FF\"")
    return ParameterType(
      schema, placeholder: AppColor(red: 0, green: 0, blue: 0), json: { JSONWriter.quoted($0.description) }
    ) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return AppColor(text)
        ?? reader.reject(
          "\"\(text)\" is not a colour: write # and six hexadecimal digits, as in \"#0A84FF\"", json)
    }
  }
}

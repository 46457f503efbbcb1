package import AppBoot

extension ByteSize: ParameterValue {
  /// A number with a unit.
  package static var parameterType: ParameterType<ByteSize> {
    .text(
      .pattern(#"^[0-9]+(\.[0-9]+)?([kK]?B|[MGT]B|[KMGT]iB)$"#, describedAs: "a size such as \"10GiB\""),
      placeholder: ByteSize(bytes: 0), parsing: ByteSize.init(parsing:))
  }
}

package import AppBoot

extension CommandDescription {
  /// True if the command cannot run without parameters.
  package var requiresParameters: Bool {
    (type as? any ParameterChoice.Type)?.isExclusive == true || parameters.contains(where: \.isRequired)
  }
}

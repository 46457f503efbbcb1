// The stock commands replace placeholders themselves, or do not allow them: each describes its own placeholders.

extension InitializeThirdParties {
  /// False: library names and options have no placeholders.
  public static var replacesVariables: Bool { false }
}

extension InitialScreen {
  /// False: titles and texts have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension RegisterRemoteNotifications {
  /// False: the URL and the headers have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension RunProcess {
  /// False: the texts of a process have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension RunService {
  /// False: the texts of a process have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension WaitFor {
  /// False: the conditions have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension CheckEnvironment {
  /// False: the requirements have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension SendHTTPRequest {
  /// False: the URL, the headers and the body have their own placeholders.
  public static var replacesVariables: Bool { false }
}

extension Say {
  /// False: the text has its own placeholders.
  public static var replacesVariables: Bool { false }
}

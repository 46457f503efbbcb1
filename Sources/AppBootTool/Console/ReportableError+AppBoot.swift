import AppBoot
import AppBootRecords
import AppBootLifecycle
import AppBootSystem

extension SystemError: ReportableError {
  var message: String { description }
}

extension Isolation.Failure: ReportableError {
  var message: String {
    switch self {
    case .notLinux: "--isolate needs Linux"
    case .notDivisible: "--isolate: this process cannot be split, because of a second thread or a debugger"
    case .refused(let error): "--isolate: \(error.description)"
    }
  }

  func help(tool: String) -> String? {
    guard case .refused = self else { return nil }
    return
      "run it as root, or permit the container this (SYS_ADMIN); without --isolate, only kill -9 of \(tool) and "
      + "its child at the same moment can leave processes"
  }
}

extension PlanError: ReportableError {
  var message: String { source.map { "\($0.name) is not valid" } ?? description }
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { source.map { (diagnostics, $0) } }
  var exit: ToolExit { .invalidManifest }
}

extension RegistryConflict: ReportableError {
  var message: String { description }
}

extension LifecycleEventError: ReportableError {
  var message: String { description }
  var exit: ToolExit { .usage }
}

extension RecordError: ReportableError {
  var message: String { description }

  var problems: (diagnostics: [Diagnostic], source: SourceText)? {
    switch self {
    case .notJSON(let diagnostics, let source): (diagnostics, source)
    case .damaged(let diagnostic, let source), .otherText(let diagnostic, let source): ([diagnostic], source)
    case .notARecord, .newerVersion, .unreadable: nil
    }
  }

  var exit: ToolExit {
    if case .unreadable = self { .preconditionMissing } else { .invalidManifest }
  }
}

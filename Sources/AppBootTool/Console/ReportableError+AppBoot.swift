import AppBoot
import AppBootRecords
import AppBootLifecycle
import AppBootSystem

extension SystemError: ReportableError {
  var message: String { description }
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

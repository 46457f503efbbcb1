import AppBoot
import AppBootReports
import AppBootSystem

/// Prints the output of the steps, line by line, on standard error.
struct OutputLines: StartupObserver {
  let output: StandardOutput
  let style: TextStyle
  let live: LiveLine?

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    guard case .output(let step, _, _, let line) = event.kind else { return }
    let text = "\(style.paint("\(style.visible(outline[step].id)):", .faint)) \(style.visible(line))\n"
    if let live { live.interrupting { output.write(text) } } else { output.write(text) }
  }
}

/// Writes each event as one line of JSON when it happens.
struct EventLines: StartupObserver {
  let output: StandardOutput

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    output.write(event.json(in: outline) + "\n")
    // The tool reports a write error at its end.
    try? output.flush()
  }
}

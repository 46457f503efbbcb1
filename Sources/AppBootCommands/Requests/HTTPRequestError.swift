import AppBoot

/// An error of an HTTP request. `request` is the method and the URL without its query.
enum HTTPRequestError: Error, Sendable, Hashable {
  /// The response has an unexpected status. `firstLine` is the first line of its body.
  case status(request: String, found: Int, expected: [Int], firstLine: String)
  /// The response's body is not JSON. `firstLine` is its first line.
  case notJSON(request: String, status: Int, firstLine: String)
  /// The response does not contain the expected JSON value. `difference` describes the first difference.
  case json(request: String, status: Int, difference: String)
  /// The file with the request's body does not exist.
  case noFile(String)
  /// The path of the request's body is that of a directory, a pipe or a device.
  case notAFile(String)
}

extension HTTPRequestError: CustomStringConvertible {
  /// The error message: the request, the response and the expectation.
  var description: String {
    switch self {
    case .status(let request, let found, let expected, let firstLine):
      "\(request) answered \(found)" + Self.expectation(expected, found)
        + (firstLine.isEmpty ? "" : ": \(firstLine)")
    case .notJSON(let request, let status, let firstLine):
      "\(request) answered \(status), but the body is not JSON" + (firstLine.isEmpty ? "" : ": \(firstLine)")
    case .json(let request, let status, let difference): "\(request) answered \(status) \(difference)"
    case .noFile(let path):
      "there is no file \"\(path)\" to send"
        + (path.hasPrefix("/") ? "" : ": a path is relative to the manifest's directory")
    case .notAFile(let path): "cannot send \"\(path)\": only a regular file can be sent"
    }
  }

  private static func expectation(_ expected: [Int], _ found: Int) -> String {
    guard expected.isEmpty else { return ", expected \(expected.map(String.init).joined(separator: " or "))" }
    return (300...399).contains(found) ? ", a redirect, which is not followed" : ""
  }
}

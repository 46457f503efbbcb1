import AppBoot
import AppBootRecords

/// The manifest of a check's first launch. All launches must have it, because the check counts by step.
struct CheckedManifest {
  private let digest: String?
  private let steps: Int

  init(_ outline: LaunchOutline) { (digest, steps) = (outline.manifestDigest, outline.count) }

  /// Checks that a launch has the same manifest.
  ///
  /// - Throws: ``ChangedManifest`` if its digest or its number of steps differs.
  func check(_ outline: LaunchOutline) throws(ChangedManifest) {
    let other = CheckedManifest(outline)
    // The record of a launch in code has no digest.
    let isEqual = digest == nil || other.digest == nil || digest == other.digest
    guard isEqual, steps == other.steps else { throw ChangedManifest() }
  }
}

/// An error that reports that a launch of a check had another manifest than the first one.
struct ChangedManifest: ReportableError {
  var message: String { "the manifest changed during the check; check again" }
}

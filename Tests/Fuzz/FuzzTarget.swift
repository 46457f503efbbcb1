import AppBootSystem
import Glibc

/// A reader of input from elsewhere, with the properties that must hold for every input.
enum FuzzTarget: String, CaseIterable {
  case manifest, record, journal, control, url, template, duration, curl, arguments, secrets, output

  /// The target that the environment variable `FUZZ_TARGET` names.
  static let current: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      printError("FUZZ_TARGET must be one of \(names), not \"\(name)\"")
      exit(2)
    }
    return target
  }()

  /// True if the inputs are JSON, so that changes keep its structure.
  var isJSON: Bool {
    switch self {
    case .manifest, .record, .journal, .control: true
    case .url, .template, .duration, .curl, .arguments, .secrets, .output: false
    }
  }

  /// Reads an input, and aborts if a property does not hold.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .manifest: fuzzManifest(bytes)
    case .record: fuzzRecord(bytes)
    case .journal: fuzzJournal(bytes)
    case .control: fuzzControl(bytes)
    case .url: fuzzURL(bytes)
    case .template: fuzzTemplate(bytes)
    case .duration: fuzzDuration(bytes)
    case .curl: fuzzCurl(bytes)
    case .arguments: fuzzArguments(bytes)
    case .secrets: fuzzSecrets(bytes)
    case .output: fuzzOutput(bytes)
    }
  }
}

/// Runs one input. Called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.current.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

/// Changes an input in place and returns its new length. Called by libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  guard FuzzTarget.current.isJSON else { return mutateBytes(data, count, limit) }
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var mutator = JSONMutator(seed: seed)
  guard let changed = mutator.change(bytes), changed.count <= limit else {
    return mutateBytes(data, count, limit)
  }
  _ = UnsafeMutableBufferPointer(start: data, count: limit).update(fromContentsOf: changed)
  return changed.count
}

/// Returns the new length of an input that libFuzzer changed in place, byte by byte.
@_silgen_name("LLVMFuzzerMutate")
func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

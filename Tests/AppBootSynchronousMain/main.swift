import AppBootLibC

// A program with a synchronous main. It runs one launch that blocks the main thread. The tests of AppBootTests run it.

let name = CommandLine.arguments.dropFirst().joined(separator: " ")
guard let launch = launches[name] else {
  print("there is no launch \"\(name)\"")
  exit(2)
}
do {
  try launch()
} catch {
  print("\(name): \(error)")
  exit(1)
}

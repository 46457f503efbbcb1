import AppBoot
import AppBootSchema
import AppBootSystem

/// A set of starter files: a manifest, and the files that belong to it.
enum StarterTemplate: String, CaseIterable {
  /// The smallest manifest: a check of the machine, and a shell command.
  case basic
  /// A development machine: its tools, variables, dependencies, database and services.
  case machine
  /// A server that keeps running.
  case service
  /// A service as the first process of a container.
  case container
  /// A service as a unit of systemd.
  case systemd
  /// A service as a pod of Kubernetes.
  case kubernetes
  /// Steps with time budgets, for a CI job.
  case ci
  /// An app that shows its first screen.
  case app

  /// True if other files of the template have the name of the manifest.
  var namesManifest: Bool { [.container, .systemd, .kubernetes, .ci].contains(self) }

  /// A file of a template: its path and its content.
  struct File {
    let path: String
    let text: String
    /// Advice for the next step after the file was written; `nil` if there is none.
    var next: String?
    /// True for a file that projects already have. If it exists, it is not written.
    var isShared = false
  }

  /// Returns the files of the template. The manifest is the first one.
  ///
  /// - Throws: ``ToolError`` if the commands are not registered.
  func files(manifest path: String, for registry: CommandRegistry) throws(ToolError) -> [File] {
    // A name with a leading dash would be an option.
    let name = path.hasPrefix("-") ? "./\(path)" : path
    let run = "run it with `appboot run\(path == "commands.json" ? "" : " \(name)")`"
    let schema = File(
      path: FileSystem.path("commands.schema.json", beside: path), text: registry.jsonSchema(),
      next: "editors check the manifest with it", isShared: true)
    return [File(path: path, text: try text(for: registry), next: run)] + others(beside: path) + [schema]
  }

  private func text(for registry: CommandRegistry) throws(ToolError) -> String {
    let text =
      switch self {
      case .basic: TemplateFiles.basic
      case .machine: TemplateFiles.machine
      case .app: TemplateFiles.app
      case .service, .container, .systemd, .kubernetes: TemplateFiles.service
      case .ci: TemplateFiles.check
      }
    if registry.accepts(text) { return text }
    guard self == .basic else {
      throw ToolError(
        "this tool does not have the commands of the template \"\(rawValue)\"", exit: .usage,
        help: "register StockCommands.all, or use the template basic")
    }
    return Self.manifest(for: registry)
  }

  /// Returns a manifest with registered commands that have no required parameters. It is for a tool without the stock
  /// commands.
  private static func manifest(for registry: CommandRegistry) -> String {
    let names = registry.commands.filter { !$0.requiresParameters }.map(\.name)
    var json = JSONWriter(pretty: true)
    json.object { json in
      json.member("$schema", "commands.schema.json")
      json.member("version", 1)
      json.member("name", "my-launch")
      json.member("commands", names.prefix(8))
    }
    json.endLine()
    return json.text
  }

  private func others(beside path: String) -> [File] {
    let directory = FileSystem.directory(of: path)
    func file(_ name: String, _ text: String, next: String) -> File {
      File(
        path: FileSystem.path(name, beside: path),
        text: text.replacing("commands.json", with: FileSystem.lastComponent(path)), next: next)
    }
    let dockerfile = file(
      "Dockerfile", TemplateFiles.dockerfile,
      next: "copy appboot next to it, and build it with `docker build -t localhost/my-service \(directory)`")
    switch self {
    case .basic, .app, .service: return []
    case .machine:
      let text = "# The first launch copies this file to .env, whose values come first.\nPORT=8080\n"
      return [File(path: FileSystem.path(".env.example", beside: path), text: text, isShared: true)]
    case .container: return [dockerfile]
    case .systemd:
      return [file("appboot.service", TemplateFiles.unit, next: "its first lines say how to install it")]
    case .kubernetes:
      let pod = FileSystem.path("pod.yaml", beside: path)
      let next = "apply it with `kubectl apply -f \(pod)` once the nodes have the image"
      return [dockerfile, file("pod.yaml", TemplateFiles.pod, next: next)]
    case .ci:
      let next = "its job runs `appboot check`"
      return [
        Self.isOnGitLab(directory)
          ? file(".gitlab-ci.yml", TemplateFiles.gitLabJobs, next: next)
          : file(".github/workflows/launch.yml", TemplateFiles.gitHubJob, next: next)
      ]
    }
  }

  /// Returns whether a remote of the directory's git repository is on GitLab.
  private static func isOnGitLab(_ directory: String) -> Bool {
    guard let bytes = try? FileSystem.readFile(FileSystem.join(directory, ".git/config")) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).contains("gitlab")
  }
}

import AppBoot
import AppBootCommands
import AppBootSchema
import AppBootSystem

/// The subcommand `init`, which writes a starter manifest and the files that belong to it.
enum InitSubcommand: Subcommand {
  static let name = "init"
  static let abstract =
    "Writes a starter manifest that is valid and runs. It never overwrites a file."
  static let discussion = """
    The templates:

    basic: three steps, a check for a program, a shell command and a message.

    machine: a development machine, with its tools, variables, dependencies, database and services.

    service: a wait for a database, and a server that keeps running until Control-C.

    container: a service, and a Dockerfile with appboot as the first process.

    systemd: a service, and a unit that starts it, with sandboxing.

    kubernetes: a service, a Dockerfile, and a pod that waits for the launch.

    ci: steps with a budget, and a job for GitHub Actions or GitLab that runs `appboot check`. The job lies at the \
    root of the git repository.

    app: the first screen of an app. It is for Swift apps that build their own tool, with their own commands.

    The templates container, systemd, kubernetes and ci keep a manifest that exists, and write the other files for it.

    --from writes a service for each process of a Procfile. The process "release", if there is one, runs first, as on \
    Heroku. If a .env file is next to the Procfile, the manifest reads it.
    """
  static let operands: [Operand] = [
    Operand(
      name: "FILE",
      help:
        "The manifest to write; other files go next to it. - prints the manifest only. Default: commands.json."
    )
  ]
  static var options: [any OptionDeclaration] { [template, from] }

  static let template = Option<StarterTemplate>(
    "template", .choice,
    "The kind of manifest to write. Default: basic.")

  static let from = Option(
    "from", .file("PROCFILE"), "Write the processes of this Procfile, in place of a template.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.operands.first ?? ParsedArguments.defaultManifest(in: ".")
    let template = arguments[template] ?? .basic
    var files = try template.files(manifest: path, for: tool.registry)
    if let procfile = arguments[from] {
      guard arguments[Self.template] == nil else {
        throw UsageError.conflict(from.spelling, Self.template.spelling)
      }
      let directory = FileSystem.directory(of: procfile)
      guard path == "-" || FileSystem.directory(of: path) == directory else {
        throw ToolError(
          "a manifest runs programs in its own directory, so it belongs next to the Procfile", exit: .usage,
          help: "write \(FileSystem.join(directory, FileSystem.lastComponent(path)))")
      }
      files[0].text = try manifest(from: procfile)
      guard [RunProcess.name, RunService.name].allSatisfy({ tool.registry[$0] != nil }) else {
        throw ToolError("this tool does not have RunProcess and RunService, which --from needs", exit: .usage)
      }
      files[0].next = files[0].next.map { "\(advice); then \($0)" }
    }
    if path == "-" {
      tool.output.write(files[0].text)
      return .succeeded
    }
    if template.namesManifest, !Self.isPlain(path) {
      throw ToolError(
        "the files of this template cannot name \"\(path)\"; no file was written", exit: .usage,
        help: "use letters, digits and the characters . _ / - in the name")
    }
    if let file = files.dropFirst().first(where: { $0.path == path }) {
      throw UsageError.conflict("FILE", "the template's \(FileSystem.lastComponent(file.path))")
    }
    let present = files.filter { FileSystem.kind(of: $0.path, followingLinks: false) != nil }
    if let file = present.first(where: { !$0.isShared }) {
      throw ToolError("\"\(file.path)\" already exists; no file was written") { tool in
        file.path == path
          ? "name another file: \(tool) init FILE" : "move it away, or name a manifest in another directory"
      }
    }
    for file in files {
      if present.contains(where: { $0.path == file.path }) {
        let isHere = file.path == SchemaSubcommand.fileName
        let schema = isHere ? "schema --install` replaces it" : "schema` prints the current one"
        let isSchema = FileSystem.lastComponent(file.path) == SchemaSubcommand.fileName
        let advice = isSchema ? "; `\(tool.name) \(schema)" : ""
        tool.output.write("kept \(file.path)\(advice)\n")
        continue
      }
      let directory = FileSystem.directory(of: file.path)
      if !FileSystem.isDirectory(directory) {
        try FileSystem.createDirectory(directory, mode: 0o755, parents: true)
      }
      try FileSystem.writeFile(atomically: Array(file.text.utf8), to: file.path)
      let next = file.next.map { "; \($0.replacingTool(with: tool.name))" } ?? ""
      tool.output.write("wrote \(file.path)\(next)\n")
    }
    return .succeeded
  }

  private static let advice =
    "add \"ready\" to the services that others need, and \"after\" to the services that need them"

  /// Returns the manifest for a Procfile, and for the `.env` beside it.
  private static func manifest(from path: String) throws -> String {
    func text(_ path: String) throws -> String {
      String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    }
    let variables = FileSystem.path(".env", beside: path)
    let procfile = try Procfile(parsing: text(path), named: path)
    return procfile.manifest(variables: FileSystem.exists(variables) ? try text(variables) : nil)
  }

  /// Returns whether a path needs no quotes in a systemd unit, YAML, a Dockerfile and a shell, and is not an option.
  private static func isPlain(_ path: String) -> Bool {
    !FileSystem.lastComponent(path).hasPrefix("-")
      && path.utf8.allSatisfy { $0.isWord || "./-".utf8.contains($0) }
  }
}

extension String {
  /// Returns the text with `appboot` replaced by the name of the tool.
  fileprivate func replacingTool(with name: String) -> String {
    split(separator: "`appboot ", omittingEmptySubsequences: false).joined(separator: "`\(name) ")
  }
}

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
    var text: String
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
    let manifest = File(path: path, text: try text(for: registry), next: run, isShared: namesManifest)
    return [manifest] + others(beside: path) + [schema]
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
    return JSONWriter.object(pretty: true) { json in
      json.member("$schema", "commands.schema.json")
      json.member("version", 1)
      json.member("name", "my-launch")
      json.member("commands", names.prefix(8))
    } + "\n"
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
    case .ci: return [job(for: path)]
    }
  }

  /// Returns the job that checks a manifest. CI servers read it at the root of the git repository only.
  private func job(for manifest: String) -> File {
    let own = FileSystem.directory(of: manifest)
    // As text, because the directory may not exist yet.
    var parts: [Substring] = []
    for part in FileSystem.join(FileSystem.resolve(".") ?? "/", own).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    var below: [Substring] = []
    while !parts.isEmpty, !FileSystem.exists("/\(parts.joined(separator: "/"))/.git") {
      below.insert(parts.removeLast(), at: 0)
    }
    // Without a repository, the job goes next to the manifest.
    if parts.isEmpty { below = [] }
    var names = own.split(separator: "/").filter { $0 != "." }
    if names.contains("..") {
      names += [Substring](repeating: "..", count: below.count)
    } else {
      names =
        names.dropLast(below.count) + [Substring](repeating: "..", count: max(0, below.count - names.count))
    }
    let root = (own.hasPrefix("/") ? "/" : "") + names.joined(separator: "/")
    let isOnGitLab = Self.isOnGitLab(root.isEmpty ? "." : root)
    let place = (below + [Substring(FileSystem.lastComponent(manifest))]).joined(separator: "/")
    let text = isOnGitLab ? TemplateFiles.gitLabJobs : TemplateFiles.gitHubJob
    return File(
      path: FileSystem.join(root, isOnGitLab ? ".gitlab-ci.yml" : ".github/workflows/launch.yml"),
      text: text.replacing("commands.json", with: place), next: "its job runs `appboot check`")
  }

  /// Returns whether a remote of the directory's git repository is on GitLab.
  private static func isOnGitLab(_ directory: String) -> Bool {
    guard let bytes = try? FileSystem.readFile(FileSystem.join(directory, ".git/config")) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).contains("gitlab")
  }
}

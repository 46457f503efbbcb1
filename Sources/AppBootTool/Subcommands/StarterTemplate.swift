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
  /// - Throws: `TemplateUnavailable` if the commands are not registered.
  func files(manifest path: String, for registry: CommandRegistry) throws(TemplateUnavailable) -> [File] {
    // A name with a leading dash would be an option.
    let name = path.hasPrefix("-") ? "./\(path)" : path
    let run = "run it with `appboot run\(path == "commands.json" ? "" : " \(name)")`"
    let schema = File(
      path: FileSystem.path("commands.schema.json", beside: path), text: registry.jsonSchema(),
      next: "editors check the manifest with it", isShared: true)
    return [File(path: path, text: try text(for: registry), next: run)] + others(beside: path) + [schema]
  }

  private func text(for registry: CommandRegistry) throws(TemplateUnavailable) -> String {
    let text: String
    switch self {
    case .basic: return StarterManifest.text(for: registry)
    case .machine: text = Self.machineManifest
    case .app: text = Self.appManifest
    case .service, .container, .systemd, .kubernetes: text = Self.serviceManifest
    case .ci: text = Self.checkManifest
    }
    guard registry.accepts(text) else { throw TemplateUnavailable(template: rawValue) }
    return text
  }

  private func others(beside path: String) -> [File] {
    let directory = FileSystem.directory(of: path)
    let manifest = FileSystem.lastComponent(path)
    let dockerfile = File(
      path: FileSystem.path("Dockerfile", beside: path), text: Self.dockerfile(manifest),
      next: "copy appboot next to it, and build it with `docker build -t localhost/my-service \(directory)`")
    switch self {
    case .basic, .app, .service: return []
    case .machine:
      let path = FileSystem.path(".env.example", beside: path)
      let text = "# The first launch copies this file to .env, whose values come first.\nPORT=8080\n"
      return [File(path: path, text: text, isShared: true)]
    case .container: return [dockerfile]
    case .systemd:
      let next = "its first lines say how to install it"
      return [
        File(path: FileSystem.path("appboot.service", beside: path), text: Self.unit(manifest), next: next)
      ]
    case .kubernetes:
      let pod = FileSystem.path("pod.yaml", beside: path)
      let next = "apply it with `kubectl apply -f \(pod)` once the nodes have the image"
      return [
        dockerfile,
        File(path: pod, text: Self.pod(manifest), next: next),
      ]
    case .ci:
      let (name, text) =
        Self.isOnGitLab(directory)
        ? (".gitlab-ci.yml", Self.gitLabJobs(manifest))
        : (".github/workflows/launch.yml", Self.workflow(manifest))
      return [
        File(path: FileSystem.path(name, beside: path), text: text, next: "its job runs `appboot check`")
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

  // MARK: - Texts

  private static let appManifest = """
    {
      "$schema": "commands.schema.json",
      "version": 1,
      "name": "MyApp",
      "budget": "250ms",
      "commands": [
        "InitializeThirdParties",
        { "command": "Appearance", "with": { "theme": "auto", "accent": "#0A84FF" } },
        {
          "command": "InitialScreen",
          "with": {
            "default": "Home",
            "screens": { "Home": { "title": "Home", "text": "It works." } }
          }
        },
        { "command": "RegisterRemoteNotifications", "onFailure": "continue" }
      ]
    }

    """

  private static let machineManifest = #"""
    {
      "$schema": "commands.schema.json",
      "version": 1,
      "name": "my-machine",
      "timeout": "10m",
      "environment": { "files": [".env.example?", ".env?"] },
      "commands": [
        {
          "command": "CheckEnvironment",
          "id": "tools",
          "comment": "Each tool, its version if that matters, and how to install it.",
          "with": { "programs": [{ "name": "sh", "hint": "install a POSIX shell" }] }
        },
        { "id": "env", "run": "cp .env.example .env", "unless": { "file": ".env" } },
        { "id": "dependencies", "run": "echo npm ci", "retry": 3, "timeout": "5m" },
        {
          "id": "database",
          "run": "mkdir -p data && echo created > data/shop.txt",
          "after": "tools",
          "unless": { "file": "data/shop.txt" }
        },
        {
          "command": "RunService",
          "id": "web",
          "comment": "Your server. Let ready be its URL, or a line that it prints.",
          "after": ["dependencies", "database"],
          "timeout": "10s",
          "with": {
            "arguments": ["sh", "-c", "echo ready on $PORT; exec tail -f /dev/null"],
            "ready": { "output": "^ready" },
            "restart": "onFailure"
          }
        },
        { "command": "Say", "with": { "text": "The machine is set up. Control-C stops the services." } }
      ]
    }

    """#

  private static let serviceManifest = #"""
    {
      "$schema": "commands.schema.json",
      "version": 1,
      "name": "my-service",
      "timeout": "1m",
      "commands": [
        { "command": "CheckEnvironment", "with": { "programs": ["sh"] } },
        {
          "command": "WaitFor",
          "id": "database",
          "comment": "Wait here for what the server needs, for example a database by its tcp address.",
          "timeout": "10s",
          "with": { "file": "." }
        },
        {
          "command": "RunService",
          "id": "web",
          "comment": "Your server. Let ready be its URL, or a line that it prints.",
          "timeout": "10s",
          "with": {
            "arguments": ["sh", "-c", "echo ready; exec tail -f /dev/null"],
            "ready": { "output": "^ready" },
            "restart": "onFailure"
          }
        },
        { "command": "Say", "with": { "text": "web is up: Control-C stops it" } }
      ]
    }

    """#

  private static let checkManifest = #"""
    {
      "$schema": "commands.schema.json",
      "version": 1,
      "name": "my-launch",
      "budget": "5s",
      "timeout": "1m",
      "commands": [
        { "command": "CheckEnvironment", "with": { "programs": ["sh"] } },
        { "id": "prepare", "run": "echo prepared", "comment": "What the launch needs." },
        { "id": "smoke", "run": "echo works", "timeout": "30s", "budget": "2s", "comment": "The launch itself." }
      ]
    }

    """#

  private static func workflow(_ manifest: String) -> String {
    """
    name: Launch
    on: [push, pull_request]
    jobs:
      launch:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
            with: { fetch-depth: 0 }
          # appboot must be in PATH: install a release of it here.
          - run: appboot validate --strict \(manifest)
          - if: github.event_name != 'pull_request'
            run: appboot check --no-state --junit launch.xml --html launch.html \(manifest)
          # Build the base in its worktree too, if the launch needs a build.
          - if: github.event_name == 'pull_request'
            run: |
              git worktree add --detach ../base "origin/$GITHUB_BASE_REF"
              appboot check --no-state --against ../base --junit launch.xml --html launch.html \(manifest)
          - if: always()
            uses: actions/upload-artifact@v4
            with: { name: launch, path: launch.* }

    """
  }

  private static func gitLabJobs(_ manifest: String) -> String {
    """
    # appboot must be in PATH: use an image that contains a release of it.
    launch:
      variables: { GIT_DEPTH: 0 }
      script:
        - appboot validate --strict \(manifest)
        - appboot check --no-state --junit launch.xml --html launch.html \(manifest)
      rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
      artifacts: &files
        when: always
        paths: [launch.html]
        reports: { junit: launch.xml }

    launch-merge-request:
      variables: { GIT_DEPTH: 0 }
      script:
        # Build the base in its worktree too, if the launch needs a build.
        - git worktree add --detach ../base "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
        - appboot check --no-state --against ../base --junit launch.xml --html launch.html \(manifest)
      rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
      artifacts: *files

    """
  }
}

import AppBoot
import AppBootSystem

/// A set of starter files: a manifest, and the files that belong to it.
enum StarterTemplate: String, CaseIterable {
  /// An app that shows its first screen.
  case app
  /// A server that keeps running.
  case service
  /// A service as the first process of a container.
  case container
  /// Steps with time budgets, for a CI job.
  case ci

  /// A file of a template: its path and its content.
  struct File {
    let path: String
    let text: String
    /// Advice for the next step after the file was written; `nil` if there is none.
    var next: String?
  }

  /// Returns the files of the template. The manifest is the first one.
  ///
  /// - Throws: `TemplateUnavailable` if the commands are not registered.
  func files(manifest path: String, for registry: CommandRegistry) throws(TemplateUnavailable) -> [File] {
    // A name with a leading dash would be an option.
    let name = path.hasPrefix("-") ? "./\(path)" : path
    let run = "run it with `appboot run\(path == "commands.json" ? "" : " \(name)")`"
    return [File(path: path, text: try text(for: registry), next: run)] + others(beside: path)
  }

  private func text(for registry: CommandRegistry) throws(TemplateUnavailable) -> String {
    let text: String
    switch self {
    case .app: return StarterManifest.text(for: registry)
    case .service, .container: text = Self.serviceManifest
    case .ci: text = Self.checkManifest
    }
    guard StarterManifest.isValid(text, registry) else { throw TemplateUnavailable(template: rawValue) }
    return text
  }

  private func others(beside path: String) -> [File] {
    let directory = FileSystem.directory(of: path)
    let manifest = FileSystem.lastComponent(path)
    switch self {
    case .app, .service: return []
    case .container:
      let next = "copy appboot next to it, and build it with `docker build -t my-service \(directory)`"
      return [
        File(
          path: FileSystem.path("Dockerfile", beside: path), text: Self.dockerfile(manifest), next: next)
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

  private static let serviceManifest = #"""
    {
      "version": 1,
      "name": "MyService",
      "timeout": "1m",
      "commands": [
        { "command": "CheckEnvironment", "with": { "programs": [{ "name": "sh" }] } },
        {
          "command": "WaitFor",
          "id": "database",
          "comment": "Wait here for what the server needs, for example a database by its tcp address.",
          "timeout": "10s",
          "with": { "command": ["true"] }
        },
        {
          "command": "RunService",
          "id": "web",
          "comment": "Your server. Let ready be its http address, or a line that it prints.",
          "timeout": "10s",
          "with": {
            "arguments": ["sh", "-c", "echo ready; exec tail -f /dev/null"],
            "ready": { "output": "^ready" },
            "restart": { "when": "onFailure" }
          }
        },
        { "command": "Say", "with": { "text": "web is up: Control-C stops it" } }
      ]
    }

    """#

  private static let checkManifest = #"""
    {
      "version": 1,
      "name": "MyLaunch",
      "budget": "5s",
      "timeout": "1m",
      "commands": [
        { "command": "CheckEnvironment", "with": { "programs": [{ "name": "sh" }] } },
        {
          "command": "RunProcess",
          "id": "prepare",
          "comment": "What the launch needs.",
          "with": { "arguments": ["sh", "-c", "echo prepared"] }
        },
        {
          "command": "RunProcess",
          "id": "smoke",
          "comment": "The launch itself.",
          "timeout": "30s",
          "budget": "2s",
          "with": { "arguments": ["sh", "-c", "echo works"] }
        }
      ]
    }

    """#

  private static func dockerfile(_ manifest: String) -> String {
    """
    # docker build -t my-service . && docker run --rm my-service
    FROM debian:stable-slim

    # A release that contains the libraries of Swift:
    # swift build -c release --static-swift-stdlib --disable-local-rpath --product appboot
    COPY appboot /usr/local/bin/appboot

    WORKDIR /app
    COPY \(manifest) .

    # appboot is the first process: it forwards signals, reaps processes and stops the services.
    ENTRYPOINT ["appboot"]
    CMD ["run", "\(manifest)"]

    """
  }

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

import AppBoot

/// A topic of `help` that is not a subcommand: the keys of a manifest, or a concept.
enum HelpTopic: String, CaseIterable {
  case manifest, order, failure, variables, secrets, services

  /// Returns whether the tables of the topic have a key.
  func explains(key: String) -> Bool { tables.contains { $0.fields.contains { $0.name == key } } }

  /// The topic in one line.
  var abstract: String {
    switch self {
    case .manifest: "The keys of a manifest and of its entries."
    case .order: "In which order steps run, and which run in parallel."
    case .failure: "What a failure does: attempts, timeouts, undo."
    case .variables: "Where values come from: the environment, files, other steps."
    case .secrets: "Which values are hidden."
    case .services: "Processes that keep running: readiness, restarts, stopping."
    }
  }

  /// The tables of the topic.
  var tables: [(title: String, fields: [ParameterField])] {
    guard self == .manifest else { return [] }
    return [
      ("keys of the manifest", ManifestReader.keys.map(\.field)),
      ("keys of an entry", ManifestEntry.keys.map(\.field)),
      ("in place of command and with", ManifestEntry.shellKeys.map(\.field).filter(\.isRequired)),
      ("keys of when; all must hold", LaunchCondition.keys.map(\.field)),
      ("keys of unless; exactly one", UnlessCondition.keys.map(\.field)),
      ("keys of retry", RetryPolicy.keys.map(\.field)),
    ]
  }

  /// The text of the topic, with an example.
  var text: String {
    switch self {
    case .manifest:
      """
      A manifest is a JSON file, commands.json. If its name ends in .jsonc, it can have comments. An entry is a \
      command's name, or an object. Keys that begin with x- are yours.

        { "commands": [
          { "run": "npm ci", "id": "dependencies", "retry": 3 },
          { "command": "RunService", "id": "web", "with": {
            "arguments": ["npm", "start"], "ready": "http://127.0.0.1:3000/" } }
        ] }
      """
    case .order:
      """
      An entry runs after the one above it. "after" replaces that: it has the ids of the entries to wait for, and [] \
      starts the entry at once.

        { "run": "npm ci", "id": "packages" },
        { "run": "pg_ctl start", "id": "database", "after": [] },
        { "run": "npm run migrate", "after": ["packages", "database"] }

      packages and database run in parallel, the migration after both. --jobs limits the steps that run at once. \
      `list` shows the order and runs nothing. A step that "when" or "unless" skips does not block those after it.
      """
    case .failure:
      """
      An entry's "onFailure" decides what happens if its step fails:

        stop            no further step starts, and the launch fails (default)
        continue        the launch goes on, and can still succeed
        keepGoing       the launch goes on, and fails at its end
        skipDependents  only the steps after this one are skipped; the launch fails at its end
        rollback        succeeded steps that have an "undo" are undone, and services stopped, newest first

        { "run": "curl -fsS $URL", "id": "fetch", "retry": 3, "timeout": "10s", "onFailure": "continue" }

      "timeout" limits one attempt. "retry" is the number of attempts, or an object with "attempts", "backoff" and \
      "maxBackoff". The manifest's "timeout" limits the launch. If appboot itself is \
      killed in the same step twice in a row, the next launch starts in safe mode.
      """
    case .variables:
      """
      Steps inherit the environment. "environment": { "files": [".env", ".env.local?"] } in the manifest or in an \
      entry reads variables from files. A variable that is already set keeps its value. A path that ends in ? may be \
      missing. Files are read before the first step. In parameters, {env.NAME} is the value of a variable, and \
      {step.ID.output} the standard output of an earlier program. In "run", the shell expands $NAME.

        { "command": "RunProcess", "id": "commit", "with": { "arguments": ["git", "rev-parse", "HEAD"] } },
        { "command": "RunProcess", "id": "tag", "with": {
          "arguments": ["./tag", "{step.commit.output}"], "environment": { "REGION": "{env.REGION}" } } }
      """
    case .secrets:
      """
      "secrets" lists variables whose values are hidden: output, logs and records show *** in their place. \
      "secretPattern" hides all variables whose names match an extended regular expression.

        { "secrets": ["DATABASE_URL"], "secretPattern": "_(TOKEN|KEY)$", "commands": [{ "run": "./migrate" }] }

      A value of fewer than 4 bytes is not hidden. Others are also hidden in JSON, percent, XML and base64 form.
      """
    case .services:
      """
      RunService starts a process that keeps running. The step succeeds when the process is ready. "ready" is a URL \
      that must answer, or an object with tcp, unix, file, output, command or notify. The entry's "timeout" is the \
      longest wait. "live" is checked while the service runs.

        { "command": "RunService", "id": "web", "timeout": "10s", "with": {
          "arguments": ["./server"], "ready": "http://127.0.0.1:8080/health",
          "live": "http://127.0.0.1:8080/health", "restart": "onFailure", "stop": { "grace": "5s" } } }

      `run` then keeps running until Control-C or TERM, and stops the services in reverse order. --then-stop stops \
      them after the launch. `status`, `logs`, `start`, `stop` and `restart` control a running app from another \
      terminal.
      """
    }
  }
}

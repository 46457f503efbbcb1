import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The init subcommand", .ownThread)
struct InitTests {
  private func read(_ path: String) throws -> String {
    String(decoding: try FileSystem.readFile(path), as: UTF8.self)
  }

  @Test(
    "Each template is valid and runs in an empty directory",
    arguments: [
      ("basic", []), ("app", []), ("service", []), ("machine", [".env.example"]),
      ("container", ["Dockerfile"]), ("systemd", ["appboot.service"]),
      ("kubernetes", ["Dockerfile", "pod.yaml"]),
      ("ci", [".github"]),
    ])
  func templates(template: String, files: [String]) throws {
    let tool = try ToolProcess()
    let result = try tool.with("init", "--template", template).run()
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.hasPrefix("wrote commands.json; run it with `appboot run`\n"))
    #expect(
      try FileSystem.list(tool.directory.path).filter { $0 != "stderr" }.sorted()
        == (files + ["commands.json", "commands.schema.json"]).sorted())
    let valid = try tool.with("validate", "--strict").run()
    #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
    let run = try tool.with("run", "--then-stop", "--no-state").run()
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("Control-C stops") == !["basic", "app", "ci"].contains(template))
  }

  @Test(
    "A Procfile becomes a manifest that runs: release comes first, each process has a port, and .env is read"
  )
  func procfile() throws {
    let tool = try ToolProcess()
    let lines = """
      # a comment\r
      release: echo released {env.X} >> order
      web: ./serve --port $PORT
      worker: exec ./work -q high {env.X} {{env.X}}

      """
    try FileSystem.writeFile(atomically: Array(lines.utf8), to: tool.directory.file("Procfile"))
    try FileSystem.writeFile(
      atomically: Array("export PORT=\"3000\"\n".utf8), to: tool.directory.file(".env"))
    #expect(try tool.with("init", "--from", "Procfile", "--template", "ci").run().status == 2)
    #expect(try tool.with("init", "--from", "Procfile").run().status == 0)
    let text = try read(tool.directory.file("commands.json"))
    #expect(
      text.contains(#""files": [".env"]"#)
        && text.contains(#""arguments": ["sh", "-c", "exec ./work -q high {{env.X}} {{{env.X}}}"]"#))
    let script = "#!/bin/sh\necho \"$0 $*\" >> order\nexec sleep 1000\n"
    for name in ["serve", "work"] {
      try FileSystem.writeFile(atomically: Array(script.utf8), to: tool.directory.file(name), mode: 0o755)
    }
    let run = try tool.with("run", "--then-stop", "--no-state").run()
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let order = try read(tool.directory.file("order"))
    #expect(order.hasPrefix("released {env.X}\n"), "\(order)")
    #expect(order.contains("./work -q high {env.X} {{env.X}}\n"), "\(order)")
    #expect(text.contains(#""environment": { "PORT": "3100" }"#))
  }

  @Test(
    "A mistake in a Procfile is an error at its line, and no file is written",
    arguments: [
      ("web ./serve", "Procfile:1: expected NAME: COMMAND"), ("web:", "Procfile:1: expected"),
      ("a: x\na: y", "Procfile:2: there are two processes"), ("# none", "has no process"),
    ])
  func wrongProcfile(text: String, problem: String) throws {
    let tool = try ToolProcess()
    try FileSystem.writeFile(atomically: Array(text.utf8), to: tool.directory.file("Procfile"))
    let result = try tool.with("init", "--from", "Procfile").run()
    #expect(result.status == 4 && result.errors.contains(problem), "\(result.errors)")
    #expect(!FileSystem.exists(tool.directory.file("commands.json")))
  }

  @Test("The manifest of the template ci passes check")
  func check() throws {
    let tool = try ToolProcess()
    #expect(try tool.with("init", "--template", "ci").run().status == 0)
    let workflow = try read(tool.directory.file(".github/workflows/launch.yml"))
    #expect(workflow.contains("uses: OWNER/appboot@") && workflow.contains("manifest: commands.json"))
    let check = try tool.with("check", "--no-state", "--runs", "1", "commands.json").run()
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  @Test("The template ci has a GitLab job if a remote is on GitLab")
  func gitLab() throws {
    let tool = try ToolProcess()
    try FileSystem.createDirectory(tool.directory.file(".git"))
    let config = "[remote \"origin\"]\n\turl = git@gitlab.com:me/app.git\n"
    try FileSystem.writeFile(atomically: Array(config.utf8), to: tool.directory.file(".git/config"))
    #expect(try tool.with("init", "--template", "ci").run().status == 0)
    let jobs = try read(tool.directory.file(".gitlab-ci.yml"))
    #expect(
      jobs.contains("git worktree add --detach ../base \"origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME\""))
    #expect(jobs.contains("appboot check --no-state --against ../base"))
  }

  @Test("The template ci keeps a manifest, and writes its job at the root of the repository")
  func keptManifest() throws {
    let tool = try ToolProcess().file("commands.json", #"{ "commands": ["Say"] }"#)
    try FileSystem.createDirectory(tool.directory.file(".git"))
    let kept = try tool.with("init", "--template", "ci").run()
    #expect(kept.status == 0 && kept.output.hasPrefix("kept commands.json\n"), "\(kept.output)\(kept.errors)")
    #expect(try read(tool.directory.file("commands.json")) == #"{ "commands": ["Say"] }"#)
    #expect(FileSystem.exists(tool.directory.file(".github/workflows/launch.yml")))
    try FileSystem.remove(tool.directory.file(".github/workflows/launch.yml"))
    #expect(try tool.with("init", "--template", "ci", "sub/web.json").run().status == 0)
    #expect(!FileSystem.exists(tool.directory.file("sub/.github")))
    let workflow = try read(tool.directory.file(".github/workflows/launch.yml"))
    #expect(workflow.contains("manifest: sub/web.json"))
  }

  @Test("The other files are next to the manifest, and name it")
  func otherDirectory() throws {
    let tool = try ToolProcess()
    let result = try tool.with("init", "--template=container", "deploy/web.json").run()
    #expect(
      result.output == """
        wrote deploy/web.json; run it with `appboot run deploy/web.json`
        wrote deploy/Dockerfile; copy appboot next to it, and build it with `docker build -t \
        localhost/my-service deploy`
        wrote deploy/commands.schema.json; editors check the manifest with it

        """)
    let text = try read(tool.directory.file("deploy/Dockerfile"))
    #expect(text.contains("COPY web.json .") && text.contains(#"CMD ["run", "web.json"]"#))
    #expect(text.contains(#"ENTRYPOINT ["appboot", "run", "web.json", "--only", "database", "--"]"#))
  }

  @Test(
    "A manifest whose name needs quotes is an error for a template whose files name it",
    arguments: ["container", "systemd", "kubernetes", "ci"])
  func quotes(template: String) throws {
    let tool = try ToolProcess()
    let result = try tool.with("init", "my shop.json", "--template", template).run()
    #expect(result.status == 2)
    #expect(
      result.errors.contains("the files of this template cannot name \"my shop.json\"; no file was written"))
    #expect(!FileSystem.exists(tool.directory.file("my shop.json")))
    #expect(try tool.with("init", "my shop.json").run().status == 0)
  }

  @Test("A file that exists is never overwritten, and then nothing is written")
  func exists() throws {
    let tool = try ToolProcess().file("Dockerfile", "FROM scratch\n")
    let result = try tool.with("init", "--template", "container").run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors == """
        appboot: error: "Dockerfile" already exists; no file was written
        help: move it away, or name a manifest in another directory

        """)
    #expect(try read(tool.directory.file("Dockerfile")) == "FROM scratch\n")
    #expect(!FileSystem.exists(tool.directory.file("commands.json")))
  }

  @Test("init keeps an existing schema")
  func schema() throws {
    let tool = try ToolProcess().file("commands.schema.json", "{}")
    let result = try tool.with("init").run()
    #expect(
      result.status == 0
        && result.output == """
          wrote commands.json; run it with `appboot run`
          kept commands.schema.json; `appboot schema --install` replaces it

          """
    )
    #expect(try read(tool.directory.file("commands.schema.json")) == "{}")
  }

  @Test("schema --install replaces the schema that init kept, and only that of manifests")
  func install() throws {
    let tool = try ToolProcess("schema").file("commands.schema.json", "{}")
    let result = try tool.with("--install").run()
    #expect(
      result.status == 0
        && result.output.hasPrefix("wrote commands.schema.json; a manifest refers to it with "))
    #expect(try read(tool.directory.file("commands.schema.json")) == tool.run().output)
    let record = try tool.with("record", "--install").run()
    #expect(record.status == 2)
    #expect(record.errors == "appboot: error: --install and record cannot be used together\n")
  }

  @Test(
    "A manifest cannot have the name of another file of its template",
    arguments: ["commands.schema.json", "Dockerfile"])
  func sameName(file: String) throws {
    let tool = try ToolProcess("init", "--template", "container", file)
    let result = try tool.run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(try FileSystem.list(tool.directory.path) == ["stderr"])
  }

  @Test("The error for an unknown template suggests the closest one")
  func unknown() throws {
    let result = try ToolProcess("init", "--template", "contaner").run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors == """
        appboot: error: --template must be basic, machine, service, container, systemd, kubernetes, ci or app, \
        not "contaner"
        help: did you mean "container"?

        """)
  }

  @Test("Only the manifest is printed to standard output")
  func standardOutput() throws {
    let tool = try ToolProcess("init", "--template", "container", "-")
    let result = try tool.run()
    #expect(result.status == 0 && result.output.hasPrefix("{\n  \"$schema\": \"commands.schema.json\",\n"))
    #expect(try FileSystem.list(tool.directory.path) == ["stderr"])
  }
}

import AppBoot

extension JSONWriter {
  mutating func write(_ safeMode: SafeMode) {
    object { writer in
      writer.member("culprits", safeMode.culprits)
      writer.member("level", safeMode.level.rawValue)
      writer.member("reason", safeMode.reason)
    }
  }
}

#if os(iOS) || os(visionOS)
import Darwin
#endif

/// The role that the system has given to this process.
package enum ProcessRole: Sendable, Hashable {
  /// The user sees the app, or is about to.
  case foreground
  /// The system runs the app in the background.
  case background
  /// The system does not say.
  case unknown

  /// The role at this time: on iOS and visionOS the role of the task (`task_policy_get`, XNU), elsewhere unknown.
  package static var current: ProcessRole {
    #if os(iOS) || os(visionOS)
    var policy = task_category_policy()
    let size = MemoryLayout<task_category_policy>.size / MemoryLayout<integer_t>.size
    var count = mach_msg_type_number_t(size)
    var isDefault: boolean_t = 0
    let code = withUnsafeMutablePointer(to: &policy) { policy in
      policy.withMemoryRebound(to: integer_t.self, capacity: size) {
        task_policy_get(task_self_trap(), task_policy_flavor_t(TASK_CATEGORY_POLICY), $0, &count, &isDefault)
      }
    }
    guard code == KERN_SUCCESS, isDefault == 0 else { return .unknown }
    switch policy.role {
    case TASK_FOREGROUND_APPLICATION: return .foreground
    case TASK_BACKGROUND_APPLICATION, TASK_NONUI_APPLICATION, TASK_THROTTLE_APPLICATION,
      TASK_DARWINBG_APPLICATION:
      return .background
    default: return .unknown
    }
    #else
    return .unknown
    #endif
  }
}

#if THREAD_SANITIZER
import AppBootSystem

/// The thread sanitizer knows this one: see `SanitizedMutex`.
typealias Mutex = SanitizedMutex
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The functions of libc's mathematics that the standard library lacks.
package enum Mathematics {
  /// The complementary error function, 1 − erf(x) (`erfc`, POSIX).
  package static func complementaryError(_ x: Double) -> Double { erfc(x) }
}

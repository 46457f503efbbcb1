#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Mathematical functions of the C library that the standard library lacks.
package enum Mathematics {
  /// Returns the complementary error function, 1 − erf(x) (`erfc`, POSIX).
  package static func complementaryError(_ x: Double) -> Double { erfc(x) }
}

# Adapts the standard library's textual interface for Linux to a Darwin target, for type-checking only.

# Judge availability by the deployment target, not by the oldest system the library ever supported. The library itself
# may use what a lower deployment target lacks: only the package's uses count.
3s/ -target-min-inlining-version min/ -disable-availability-checking/
3s/ -library-level api//

# The interface omits the bodies that back deployment needs.
/^ *@backDeployed(/d

# These helpers exist only on Linux or only on x86-64. Their values are never used.
/^import Glibc$/d
s/_swift_stdlib_gettid()/UInt32(1)/
s/_stdlib_remainderl(self, other)/0/
s/_stdlib_squareRootl(self)/0/

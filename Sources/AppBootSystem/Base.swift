// Code that uses processes, sockets and terminals also uses locks, clocks and files.
@_exported public import AppBootBase

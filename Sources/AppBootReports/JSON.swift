// Code that writes reports writes JSON.
@_exported public import AppBootJSON

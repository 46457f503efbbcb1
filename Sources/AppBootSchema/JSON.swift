// Code that writes a schema writes JSON.
@_exported public import AppBootJSON

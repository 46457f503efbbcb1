// Code that runs services writes JSON.
@_exported public import AppBootJSON

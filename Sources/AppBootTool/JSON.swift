// Code that answers programs writes JSON.
@_exported public import AppBootJSON

// Code that describes events and screens writes JSON.
@_exported public import AppBootJSON

# Events, for the host.
events-title = Events
events-what-label = What{ " " }
events-everything = everything
events-account-label = Account{ " " }
events-show = Show
events-csv = As CSV
events-none = No event matches.
events-when = When
events-what = What
events-account = Account
events-by = By
events-from = From
events-earlier = Earlier ones
events-command-line = command line

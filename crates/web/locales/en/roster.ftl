# Lists of people.
roster-title = List of people
roster-names = Names, a line each, or CSV with the name in the first column and a group in the second
roster-example = Ada
roster-hint = Makes an account for each name, lets it into this competition, and shows a link for each, once, to be printed: whoever opens it within 30 days sets the password. At most { $most } names.
roster-make = Make the accounts
roster-made = { $count } accounts. The links are shown this once: print this page.
roster-back = Back to the competition
roster-people = People and groups
roster-none = This competition has no people yet.
roster-name = Name
roster-programs = Programs
roster-since = Since
roster-group = Group
roster-group-of = Group of { $name }
roster-save = Save the groups
roster-groups-hint = The ladder shows the programs of a group alone, and a final can have a division for each. Everybody sees the groups.

# Lists of people.
roster-title = List of people
roster-names = Names, a line each, or CSV with the name in the first column
roster-example = Ada
roster-hint = Makes an account for each name, lets it into this competition, and shows a link for each, once, to be printed: whoever opens it within 30 days sets the password. At most { $most } names.
roster-make = Make the accounts
roster-made = { $count } accounts. The links are shown this once: print this page.
roster-back = Back to the competition

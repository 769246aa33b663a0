# Lists of people.
roster-title = List of people
roster-names = Names, a line each, or CSV with the name in the first column and a group in the second
roster-example = Ada
roster-hint = Makes an account for each name, lets it into this competition, and shows a link for each, once, to be printed: whoever opens it within 30 days sets the password. At most { $most } names.
roster-make = Make the accounts
roster-file = Or a CSV file:
roster-import = Import the file
roster-no-text = The file is not a text in UTF-8, UTF-16 or CP949. In a spreadsheet, save it as “CSV UTF-8”.
roster-read-as = The file was read as { $encoding }.
roster-csv = Links as CSV
roster-print = Printed, fifteen slips fit on a page of A4.
roster-reissue = New link
roster-reissue-sure = With the new link this person sets a new password, and all sessions and tokens end. The old password holds until then.
roster-reissued = A new link for { $name }, shown this once. Earlier ones no longer hold.
roster-made =
    { $count ->
        [one] 1 new account.
       *[other] { $count } new accounts.
    }
roster-once = The links are shown this once: print this page.
roster-back = Back to the competition
roster-people = People and groups
roster-none = No participants yet. Paste a list of names, or invite people by a link.
roster-name = Name
roster-since = Since
roster-group = Group
roster-group-of = Group of { $name }
roster-edit = Change groups and slips, take people out
roster-save = Save the groups
roster-groups-hint = The ladder shows the programs of a group alone, and a final can have a division for each. Everybody sees the groups.
roster-known =
    { $count ->
        [one] 1 account was
       *[other] { $count } accounts were
    } there already, with a password: { $names }. They are in the competition now, and sign in as before; whoever has forgotten the password gets a link on the page of the account.
roster-again =
    { $count ->
        [one] 1 account was
       *[other] { $count } accounts were
    } listed before, without a password yet: { $names }. Their earlier slips no longer hold: hand out these.
roster-print-now = Print the slips
roster-until = valid once, until { $day }
roster-csv-head = name,link,code
roster-code = or the code { $code } at { $page }
roster-removed = taken out
roster-remove = Take out
roster-remove-sure = Its programs play no more, and it can submit none here; what was played stays. In a final that is running their opponents win the games that are left, for good. You can let it in again.
roster-let-in = Let in again
roster-has-password = has a password: sign in at { $page }

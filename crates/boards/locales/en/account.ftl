# One's own page: notices, tokens, sessions, password.
notices-faults =
    Your program { $program } failed in { $count ->
        [one] { $count } game
       *[other] { $count } games
    } within a day: { $verdict }.
notices-more = { $count } more like that.
notices-unreachable = These links work on this machine only. To reach the site from others, start it with { $listen }, or with { $base } and its address.
notices-failed = The check of { $version } failed.
notices-dismiss = Dismiss
account-team-make = { $link } whose programs belong to several people.
account-team-link = Make a team
account-session-begun = signed in { $ago }
account-no-program = None yet. { $link }.
account-submit-link = Submit one
account-token-made = made { $ago }
account-token-used = used { $ago }
account-token-expires = expires { $at }
account-token-expired = expired { $at }
recover-account = For the account { $name }. All its sessions and tokens end.
token-for-ever = until it is revoked
token-week = for a week
token-30 = for 30 days
token-90 = for 90 days
token-year = for a year
account-programs = Programs
account-teams = Teams
account-tokens = Tokens
account-token-names = { $game } names a game and submits to its permanent competition; { $competition } names a competition by the end of its address, { $address }.
account-token-intro = With a token a program submits for you:{ " " }
account-token-fresh = The new token, shown this once:{ " " }
account-token-name = Name of a new token
account-token-example = laptop
account-token-days = Valid
account-token-make = Make a token
account-sessions = Sessions
account-session-own = { " " }· this one
account-session-end = End
account-export-title = Everything of yours
account-export = Download it
account-export-hint = { " " }Sources, versions, games and records of your programs and your teams', as one archive.
account-password = Password
account-password-now = Current password
account-password-new = New password
account-password-hint = All other sessions and all tokens end.
account-password-change = Change the password
account-token-revoke = Revoke
account-token-unused = { " " }· never used
account-token-choose = Choose for how long the token counts.
account-password-set = Set the password
account-password-wrong = The current password is wrong.
notices-messages =
    { $count ->
        [one] { $count } new message of the host
       *[other] { $count } new messages of the host
    }
notices-removed = The host has removed you from { $competition }: you cannot submit there, and your programs there play no more games. If that is a mistake, ask the host.
notices-team-removed = The host has removed your team { $team } from { $competition }: it cannot submit there, and its programs there play no more games. If that is a mistake, ask the host.
notices-resting = Your program { $program } rests: it failed in { $games } rated games one after another ({ $ago }). Submit a version that does not, or let this one try again.
notices-wake = Let it try again
account-delete = Delete the account
account-delete-hint = Deletes your account, your programs and all their games, for good; and your teams that have no other member. Results of finals stay, without your name.
account-delete-name = Type your name to confirm
account-saved = Password changed.
account-program-deleted = Program deleted.
account-deleted = Your account is deleted.
account-messages = Messages of the host
account-asked = Games you asked for
account-asked-state = { $played } of { $games } played
account-quota = Submissions within a day: { $used } of { $most }.
recover-title-first = Your password
recover-first = Welcome, { $name }. Choose the password of your account.
recover-used-title = This link does not work
recover-used = It can be used once, and it may have expired. If you have set your password by it, sign in; otherwise ask the host for another link.
account-settings = Settings

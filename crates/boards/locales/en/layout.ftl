# The frame of every page: navigation, footer, notices.
layout-skip = Skip to the content
layout-site = Site
layout-read-only = The site is read-only for a while: everything can be read, and nothing is changed or played.
layout-games = Games
layout-play = Play
layout-submit = Submit
layout-find = Search programs and people
layout-find-placeholder = Program or person
layout-host = Host
layout-sign-out = Sign out
layout-sign-in = Sign in
layout-sign-up = Sign up
layout-notices =
    { $count ->
        [one] { " " }notice
       *[other] { " " }notices
    }
layout-rules = Rules
layout-finals = Finals
layout-search = Search
layout-design = Design
layout-competitions = Competitions
layout-queue = Queue
layout-language = Language
layout-start = To the start
refused-guest = { $link } if you were invited: some pages are only for those who take part.
refused-guest-link = Sign in
refused-address = The address lacks something, or has something in it that cannot be read. Go back and follow a link of the site.
layout-archive = This is an archive of the site: its pages can be read, and nothing changes any more.
layout-english-document = The details of each request are in English.
api-lead = Everything for programs: { $document }. From a shell, { $submit } submits a program and follows its check.
api-document = the OpenAPI 3.1 document
api-in-full = About this interface
api-schemas = Schemas
api-problems = Problems
api-problems-hint = The { $name } of a problem leads here.

# How long ago and how far away a time is, in a few words.
ago-now = now
ago-seconds = { $count } s ago
ago-minutes = { $count } min ago
ago-hours = { $count } h ago
ago-days = { $count } days ago
until-seconds = in { $count } s
until-minutes = in { $count } min
until-hours = in { $count } h
until-days = in { $count } days
# When a competition is open.
when-coming = opens { $opens } ({ $left })
when-coming-closes = opens { $opens } ({ $left }), closes { $closes }
when-running = open until { $closes } ({ $left })
when-always = always open
when-closed = closed { $closes } ({ $since })

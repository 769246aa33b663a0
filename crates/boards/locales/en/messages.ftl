# Messages of the host.
messages-title = Messages
messages-none = No messages yet.
messages-new = New
messages-to = To
messages-all = all people
messages-of = the people of { $title }
messages-account = Or to one account, by its name
messages-text = Message
messages-send = Send
messages-sent = Sent
messages-read = read by { $read } of { $all }

lines = require('readline').createInterface input: process.stdin
lines.on 'line', (line) ->
  switch line.split(' ')[0]
    when 'READY' then console.log 'OK'
    when 'TURN' then console.log 'MOVE -1 -1'
    when 'FINISH' then process.exit 0

$stdout.sync = true
def choose(free)
  free.fetch(9)
end
while (line = gets)
  puts 'OK' if line[0] == 'R'
  choose([]) if line[0] == 'T'
end

# Battle for the Petri Dish: a sample species in Ruby. Replace `choose` by your own idea.
#
# The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.
#
# Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | ruby sample.rb

HP, ENERGY, ACIDITY = 5, 7, 0 # must add up to 12
DIRECTIONS = { "N" => [0, -1], "NE" => [1, -1], "E" => [1, 0], "SE" => [1, 1],
               "S" => [0, 1], "SW" => [-1, 1], "W" => [-1, 0], "NW" => [-1, -1] }.freeze
WALL = "#"

# o own, x enemy, . empty, c corpse, # outside the dish; x goes right and y down, from 0.
def look(dish, x, y)
  inside = y.between?(0, dish.size - 1) && x.between?(0, dish[0].size - 1)
  inside ? dish[y][x] : WALL
end

def free?(seen)
  seen == "." || seen == "c"
end

# How many neighbours of a square hold no living cell.
def room(dish, x, y)
  DIRECTIONS.values.count { |dx, dy| free?(look(dish, x + dx, y + dy)) }
end

# What the cell at (x, y) does: multiply first, then eat, then fight, and spread out while waiting for energy.
def choose(dish, x, y, _hp, energy)
  corpse = enemy = space = nil # the direction of one of each; of all free squares, the one with the most room
  most_room = -1
  DIRECTIONS.each do |name, (dx, dy)|
    seen = look(dish, x + dx, y + dy)
    corpse ||= name if seen == "c"
    enemy ||= name if seen == "x"
    if free?(seen) && room(dish, x + dx, y + dy) > most_room
      space = name
      most_room = room(dish, x + dx, y + dy)
    end
  end

  return "DIVIDE #{space}" if space && energy >= 5
  return "EAT #{corpse}" if corpse && energy <= ENERGY - 2 # hungry
  return "ATTACK #{enemy} #{[energy, 3].min}" if enemy && energy >= 1
  return "MOVE #{space}" if space && energy >= 1 && most_room >= room(dish, x, y) + 3 # crowded here

  "REST"
end

words = $stdin.read.split
if words[0] == "BEGIN"
  puts "#{HP} #{ENERGY} #{ACIDITY}"
elsif words[0]
  height = words[1].to_i
  dish = words[2, height]
  x, y, hp, energy = words.drop(2 + height).map(&:to_i)
  puts choose(dish, x, y, hp, energy)
end

-- Renju: a sample bot in Haskell. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Build: ghc -O2 sample.hs -o sample
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (foldM_, forM_, when)
import Data.Array.Unboxed (UArray, accum, accumArray, (!), (//))
import Data.IORef (newIORef, readIORef, writeIORef)
import Data.List (delete, foldl', sortOn, tails)
import Data.Maybe (isNothing)
import Data.Ord (Down (..))
import System.Environment (lookupEnv)
import System.Exit (exitSuccess)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import System.Timeout (timeout)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- A board is an array of cells, row by row, with a margin of walls. A direction is the distance to the next cell.
-- A position is a board seen by the player to move: its score for him, and what a stone on each cell is worth to both.
type Cell = Int
data Position = Position
  { board :: !(UArray Cell Char), player :: !Char, stones, score :: !Int, own, _foe :: !(UArray Cell Int) }

black, white, empty, wall :: Char
(black, white, empty, wall) = ('B', 'W', '.', '#')
width, pass :: Int
(width, pass) = (20, width * 4 - 1) -- a PASS is as if it were the cell (-1,-1)
directions, cells :: [Int]
directions = [1, width, width + 1, width - 1]
cells = [width * (x + 5) + y | x <- [1 .. 15], y <- [1 .. 15]]
start :: Position
start = Position (accumArray (\_ c -> c) wall (0, width * 27) [(cell, empty) | cell <- cells]) black 0 0 zeros zeros
  where zeros = accumArray (+) 0 (0, width * 27) []

other :: Char -> Char
other who = if who == black then white else black
count :: Char -> String -> Int
count wanted = length . filter (== wanted)

-- ---- Rules --------------------------------------------------------------------------------------------------------
-- | Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
-- all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
mayPlay :: Position -> Cell -> Bool
mayPlay position cell
  | stones position < 3 = distance <= stones position -- the first is on (8,8), the second a step from it, the third two
  | player position == white = True
  | otherwise = 5 `elem` rows || (maximum rows < 5 && sum (map fours through) < 2 && length (filter three through) < 2)
  where
    distance = abs (cell `div` width - 13) `max` abs (cell `mod` width - 8)
    through = [[if i == 0 then black else board position ! (cell + i * d) | i <- [-5 .. 5]] | d <- directions]
    rows = [row (reverse (take 5 cs)) + 1 + row (drop 6 cs) | cs <- through]
    row = length . takeWhile (== black)
    -- A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
    fours cs = if any isFour (windows 5 cs) then min 2 (count black (take 9 (tail cs)) - 3) else 0
    isFour five = count black five == 4 && count empty five == 1
    -- A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
    three cs = any (`elem` [".BBB..", ".BB.B.", ".B.BB.", "..BBB."]) (windows 6 cs)
    windows n cs = [take n rest | rest <- take (10 - n) (tails (tail cs))]

-- ---- Choice -------------------------------------------------------------------------------------------------------
-- A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The two
-- arguments are the numbers of those stones: own and the opponent's. `order` is for the order of moves, `worth` for the
-- score. Four stones decide; an open three is three stones in two such fives at once.
order, worth :: Int -> Int -> Int
order mine 0 = [0, 6, 50, 1500, win, 0] !! mine
order 0 others = [0, 5, 40, 1000, four, 0] !! others
order _ _ = 0
worth mine 0 = [1, 6, 50, 500, 0] !! mine
worth 0 others = [0, 1, 7, 57, 557] !! others
worth _ _ = 0

win, four, infinity, breadth, maxDepth, share, reserve :: Int
(win, four, infinity) = (1000000, 50000, 10000000)
breadth = 10 -- moves tried in a position
maxDepth = 64 -- moves to look ahead; a bot with a small number repeats its games
(share, reserve) = (30, 100) -- a move may take a thirtieth of the time left, but for the last 100 milliseconds

-- | The position after a move. It changes the 20 fives through the cell, and so the worth of their other cells.
after :: Position -> Cell -> Position
after (Position old who n value mine its) cell
  | cell == pass = Position old (other who) n (-value) its mine
  | otherwise = Position (old // [(cell, who)]) (other who) (n + 1) (-value - gain)
      (accum (+) its [(near, order b (a + 1) - order b a) | (five, a, b) <- fives, near <- five])
      (accum (+) mine [(near, order (a + 1) b - order a b) | (five, a, b) <- fives, near <- five])
  where
    fives = [ (five, count who seen, count (other who) seen)
            | d <- directions, from <- [cell - 4 * d, cell - 3 * d .. cell]
            , let { five = take 5 [from, from + d ..]; seen = map (old !) five }, wall `notElem` seen ]
    gain = sum [worth a b | (_, a, b) <- fives]

-- | The moves to try, the one worth most first; after a four, only those that complete or block it.
listMoves :: Position -> [Cell]
listMoves position = take breadth (if any isFour (take 1 moves) then takeWhile isFour moves else moves)
  where
    moves = filter (mayPlay position) (sortOn (Down . (own position !)) free) -- equals stay in their order
    free = [cell | cell <- cells, board position ! cell == empty]
    isFour cell = own position ! cell >= four

-- | What the player to move can reach in `depth` moves (negamax with alpha-beta).
search :: Position -> Int -> Int -> Int -> Int
search position depth alpha beta
  | depth == 0 || null moves = score position
  | most >= win = win + length cells - stones position -- the sooner, the better
  | most >= four = try alpha (depth + 1) moves -- a forced move does not count
  | otherwise = try alpha depth (if depth == 1 then take 1 moves else moves) -- the last move is the one that looks best
  where
    moves = listMoves position
    most = own position ! head moves
    try best _ [] = best
    try best left (cell : rest)
      | better >= beta = better
      | otherwise = try better left rest
      where better = max best (negate (search (after position cell) (left - 1) (-beta) (-best)))

-- | The moves once more after a search of this depth, the best one first; the next iteration tries it first.
iteration :: Position -> Int -> [Cell] -> [Cell]
iteration position depth moves = promote (foldl' try (pass, -infinity) moves)
  where
    promote (best, _) = best : delete best moves
    try (best, alpha) cell = if value > alpha then (cell, value) else (best, alpha)
      where value = negate (search (after position cell) depth (-infinity) (-alpha))

-- | The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game.
choose :: Position -> Int -> IO Cell
choose position myTime = do
  let moves = listMoves position
  found <- newIORef moves
  when (length moves > 1 && own position ! head moves < win) $
    () <$ timeout (max 0 ((myTime - reserve) * 1000 `div` share)) (forM_ [2 .. maxDepth - 1] $ \depth ->
      readIORef found >>= evaluate . iteration position depth >>= writeIORef found)
  head . (++ [pass]) <$> readIORef found

-- ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------
main :: IO ()
main = hSetBuffering stdout LineBuffering -- or the judge waits for an answer that never leaves this process
  >> getContents >>= foldM_ obey start . map words . lines

obey :: Position -> [String] -> IO Position
obey position ("READY" : _) = position <$ putStrLn "OK" -- FIRST or SECOND, which follows from the moves as well
obey position ("TURN" : myTime : _) = do
  cell <- choose position (read myTime)
  let numbers = if cell == pass then [-1, -1] else [cell `div` width - 5, cell `mod` width]
  after position cell <$ putStrLn (unwords ("MOVE" : map show numbers))
obey position (command : x : y : _)
  | command `elem` ["OPP", "OPENING"] = return (after position (width * (read x + 5) + read y)) -- OPENING: before READY
obey _ ("FINISH" : _) = do
  over <- isNothing <$> lookupEnv "AGON_STAY"
  if over then exitSuccess else return start -- the same program plays the next game, too
obey position _ = return position

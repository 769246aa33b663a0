-- Bacteria War: a sample bot in Haskell. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Build: ghc -O2 sample.hs -o sample
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (foldM_, forM_, when)
import Data.Array.Unboxed (UArray, listArray, (!))
import Data.Bits (bit, clearBit, complement, countTrailingZeros, popCount, testBit, (.&.), (.|.))
import Data.Char (digitToInt, isDigit)
import Data.IORef (newIORef, readIORef, writeIORef)
import Data.List (delete, foldl', sortOn)
import Data.Maybe (isNothing)
import Data.Ord (Down (..))
import System.Environment (lookupEnv)
import System.Exit (exitSuccess)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import System.Timeout (timeout)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board has two such sets, the cells of the
-- player to move and those of the other.

type Cell = Int -- 0..48
type Cells = Int
data Board = Board !Cells !Cells
data Move = Pass | Move !Cell !Cell deriving Eq -- from, to

side, area :: Int
side = 7
area = side * side

full :: Cells
full = bit area - 1

start :: Board
start = Board (bit 0 .|. bit 48) (bit 6 .|. bit 42) -- the first player, who moves, has (1,1) and (7,7)

cellsOf :: Cells -> [Cell]
cellsOf 0 = []
cellsOf set = countTrailingZeros set : cellsOf (set .&. (set - 1))

-- | For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
-- (a leap comes from there).
near, far :: UArray Cell Cells
near = around 1
far = around 2

around :: Int -> UArray Cell Cells
around wanted = listArray (0, area - 1) [sum [bit b | b <- cellsOf full, distance a b == wanted] | a <- cellsOf full]
  where distance a b = abs (a `div` side - b `div` side) `max` abs (a `mod` side - b `mod` side)

-- ---- Rules --------------------------------------------------------------------------------------------------------

-- | All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
listMoves :: Board -> [Move]
listMoves (Board own foe)
  | null moves = [Pass]
  | otherwise = map snd (sortOn (Down . fst) moves) -- equals stay in their order
  where
    moves = concatMap (\to -> divisions to ++ leaps to) (cellsOf (full .&. complement (own .|. foe)))
    divisions to = [(2 * infected to + 1, Move from to) | from <- take 1 (cellsOf (own .&. near ! to))]
    leaps to = [(2 * infected to, Move from to) | from <- cellsOf (own .&. far ! to)]
    infected to = popCount (foe .&. near ! to)

-- | The board after a move, seen by the other player.
after :: Board -> Move -> Board
after (Board own foe) Pass = Board foe own
after (Board own foe) (Move from to) = Board (foe .&. complement infected) (stayed .|. infected .|. bit to)
  where
    infected = foe .&. near ! to
    stayed = if testBit (far ! to) from then clearBit own from else own -- a leap empties its source

-- ---- Choice -------------------------------------------------------------------------------------------------------

share, reserve, maxDepth, infinity :: Int
(share, reserve) = (30, 100) -- a move may take a thirtieth of the time left, but for the last 100 milliseconds
maxDepth = 64 -- moves to look ahead; a bot with a small number repeats its games
infinity = 1000000

-- | What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
search :: Board -> Int -> Int -> Int -> Int
search board@(Board own foe) depth alpha beta
  | own == 0 || foe == 0 || own .|. foe == full = 100 * ahead -- the game is over
  | depth == 0 = ahead
  | otherwise = try alpha (if depth == 1 then take 1 moves else moves) -- the last move is the one that gains most
  where
    ahead = popCount own - popCount foe
    moves = listMoves board
    try best [] = best
    try best (move : others)
      | better >= beta = better
      | otherwise = try better others
      where better = max best (negate (search (after board move) (depth - 1) (-beta) (-best)))

-- | The moves once more after a search of this depth, the best one first; the next iteration tries it first.
iteration :: Board -> Int -> [Move] -> [Move]
iteration board depth moves = promote (foldl' try (Pass, -infinity) moves)
  where
    promote (best, _) = best : delete best moves
    try (best, alpha) move = if value > alpha then (move, value) else (best, alpha)
      where value = negate (search (after board move) depth (-infinity) (-alpha))

-- | The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds.
choose :: Board -> Int -> IO Move
choose board myTime = do
  found <- newIORef (listMoves board)
  several <- (> 1) . length <$> readIORef found
  when several $ () <$ timeout (max 0 ((myTime - reserve) * 1000 `div` share)) (forM_ [1 .. maxDepth - 1] $ \depth ->
    readIORef found >>= evaluate . iteration board depth >>= writeIORef found)
  head <$> readIORef found

-- ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering -- or the judge waits for an answer that never leaves this process
  foldM_ obey start . map words . lines =<< getContents

obey :: Board -> [String] -> IO Board
obey board ("READY" : _) = board <$ putStrLn "OK" -- FIRST or SECOND, which follows from the moves as well
obey board ("TURN" : myTime : _) = do
  move <- choose board (read myTime)
  let numbers = case move of
        Pass -> [-1, -1, -1, -1]
        Move from to -> [n + 1 | cell <- [from, to], n <- [cell `div` side, cell `mod` side]]
  after board move <$ putStrLn (unwords ("MOVE" : map show numbers))
obey board (command : x1 : y1 : x2 : y2 : _)
  | command `elem` ["OPP", "OPENING"] = -- OPENING: a move made for us before READY
    let cell x y = side * (read x - 1) + read y - 1
     in return (after board (if x1 == "-1" then Pass else Move (cell x1 y1) (cell x2 y2)))
obey _ ("POSITION" : rows : mover : _) = -- where the game begins: rows of x (first), o and numbers of empty cells
  let cells = concat [if isDigit c then replicate (digitToInt c) '.' else [c] | c <- rows, c /= '/']
      set who = sum [bit n | (n, c) <- zip [0 ..] cells, c == who]
   in return (if mover == "x" then Board (set 'x') (set 'o') else Board (set 'o') (set 'x'))
obey _ ("FINISH" : _) = do
  over <- isNothing <$> lookupEnv "AGON_STAY"
  if over then exitSuccess else return start -- the same program plays the next game, too
obey board _ = return board

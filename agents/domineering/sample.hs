-- Domineering: a sample bot in Haskell. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Build: ghc -O2 sample.hs -o sample
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (foldM_, forM_, when)
import Data.Array (Array, listArray, range, (!))
import Data.Bits (bit, shiftL, (.&.), (.|.))
import Data.IORef (newIORef, readIORef, writeIORef)
import Data.List (delete, foldl', sortOn, transpose)
import Data.Maybe (isNothing)
import Data.Ord (Down (..))
import System.Environment (lookupEnv)
import System.Exit (exitSuccess)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import System.Timeout (timeout)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- Each player lays dominoes along lines of his own: first the rows, second the columns. A place (line, i) is a line and
-- the index of the domino's first cell on it, from 0. A board has the lines of the player to move, then those of the
-- other; each line is a number, in which bit i is set if its cell i is taken.

type Player = Int -- 0 moves first, 1 second
type Place = (Int, Int)
type Board = ([Int], [Int])
-- | What the numbers on the board say of a player and a line: the points of a place there, and what `weigh` explains.
data Weights = Weights { points, lineProspects :: Player -> Int -> Int -> Int }

-- ---- Rules --------------------------------------------------------------------------------------------------------

-- | The board after a move, seen by the other player; Nothing is a PASS.
after :: Board -> Maybe Place -> Board
after (own, foe) Nothing = (foe, own)
after (own, foe) (Just (line, i)) = (cover [i, i + 1] (bit line) foe, cover [line] (3 `shiftL` i) own)
  where cover taken more side = [if n `elem` taken then cells .|. more else cells | (n, cells) <- zip [0 ..] side]

-- ---- Choice -------------------------------------------------------------------------------------------------------

share, reserve, maxDepth, infinity :: Int
(share, reserve) = (10, 100) -- a move may take a tenth of the time left, but for the last 100 milliseconds
maxDepth = 64 -- moves to look ahead; a bot with a small number repeats its games
infinity = 1000000

data Move = Move { value, _gain :: Int, place :: Place } deriving Eq

-- | The weights of a board, and the points a player could still make on a line with some cells taken, if the other laid
-- no more dominoes. The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the
-- last two. `known` is lazy: it computes what is asked for, once.
weigh :: [[Int]] -> Weights
weigh rows = Weights (\who line i -> sums !! who !! line !! i) (\who line cells -> known ! (who, line, cells))
  where
    sums = [[zipWith (+) numbers (tail numbers) | numbers <- side] | side <- [rows, transpose rows]]
    size = length rows `max` length (head rows)
    bounds = ((0, 0, 0), (1, size - 1, bit size - 1))
    known = listArray bounds (map most (range bounds)) :: Array (Int, Int, Int) Int
    most (player, line, cells) = fst (foldl' longer (0, 0) (zip [0 ..] (sums !! player !! line)))
      where
        longer (best, shorter) (i, domino)
          | cells .&. (3 `shiftL` i) == 0 = (max best (shorter + domino), best)
          | otherwise = (best, best)

-- | What a player could make on all his lines; his dominoes never cross from line to line.
prospects :: Weights -> Player -> [Int] -> Int
prospects weights player = sum . zipWith (lineProspects weights player) [0 ..]

-- | All moves, the highest value first. The value is the points and the board after them: own prospects minus the
-- other's. A move changes one line of the player and two of the other.
listMoves :: Weights -> Player -> Board -> [Move]
listMoves weights player (own, foe) = sortOn (Down . value) -- equals stay in their order
  [ Move (now + points weights player line i + ownChange - sum foeChanges) (points weights player line i) (line, i)
  | (line, cells) <- zip [0 ..] own
  , i <- [0 .. length foe - 2]
  , cells .&. (3 `shiftL` i) == 0
  , let ownChange = change player line cells (3 `shiftL` i)
        foeChanges = [change (1 - player) j (foe !! j) (bit line) | j <- [i, i + 1]]
  ]
  where
    now = prospects weights player own - prospects weights (1 - player) foe
    change who line cells more = lineProspects weights who line (cells .|. more) - lineProspects weights who line cells

-- | The points that the player to move can still gain on the other one (negamax with alpha-beta).
search :: Weights -> Player -> Board -> Int -> Int -> Int -> Int
search weights player board depth alpha beta
  | null moves = negate (prospects weights (1 - player) (snd board)) -- the other one now lays all the dominoes that fit
  | depth == 1 = value (head moves)
  | otherwise = try alpha moves
  where
    moves = listMoves weights player board
    try best [] = best
    try best (Move _ won at : others)
      | better >= beta = better
      | otherwise = try better others
      where
        next = after board (Just at)
        better = max best (won - search weights (1 - player) next (depth - 1) (won - beta) (won - best))

-- | The moves once more after a search of this depth, the best one first; the next iteration tries it first.
iteration :: Weights -> Player -> Board -> Int -> [Move] -> [Move]
iteration weights player board depth moves = promote (foldl' try (head moves, -infinity) moves)
  where
    promote (best, _) = best : delete best moves
    try (best, alpha) move@(Move _ won at)
      | result > alpha = (move, result)
      | otherwise = (best, alpha)
      where
        result = won - search weights (1 - player) (after board (Just at)) depth (-infinity) (won - alpha)

-- | The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game.
choose :: Weights -> Player -> Board -> Int -> IO (Maybe Place)
choose weights player board myTime = do
  found <- newIORef (listMoves weights player board)
  several <- (> 1) . length <$> readIORef found
  when several $ () <$ timeout (max 0 ((myTime - reserve) * 1000 `div` share)) (forM_ [1 .. maxDepth - 1] $ \depth ->
    readIORef found >>= evaluate . iteration weights player board depth >>= writeIORef found)
  moves <- readIORef found
  return (if null moves then Nothing else Just (place (head moves)))

-- ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering -- or the judge waits for an answer that never leaves this process
  foldM_ obey start . map words . lines =<< getContents

-- | The rows of the board, who moves, and what is taken.
type Game = ([[Int]], Player, Board)

start :: Game
start = ([], 0, ([], []))

obey :: Game -> [String] -> IO Game
obey game ("READY" : _) = game <$ putStrLn "OK" -- FIRST or SECOND, which follows from the moves as well
obey (rows, player, board) ("TURN" : myTime : _) = do
  move <- choose (weigh rows) player board (read myTime)
  let (x, y) = maybe (-1, -1) (\(line, i) -> if player == 0 then (line + 1, i + 1) else (i + 1, line + 1)) move
  (rows, 1 - player, after board move) <$ putStrLn (unwords ["MOVE", show x, show y])
obey (rows, player, board) (command : x : y : _)
  | command `elem` ["OPP", "OPENING"] = -- OPENING: a move made for us before READY
    let (row, column) = (read x - 1, read y - 1)
        move = if player == 0 then (row, column) else (column, row)
     in return (rows, 1 - player, after board (if row < 0 then Nothing else Just move))
obey _ ("FINISH" : _) = do
  over <- isNothing <$> lookupEnv "AGON_STAY"
  if over then exitSuccess else return start -- the same program plays the next game, too
obey (rows, player, _) numbers = -- a row of the board
  return (rows ++ [map read numbers], player, (0 : map (const 0) rows, map (const 0) numbers))

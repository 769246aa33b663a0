import System.IO

main :: IO ()
main = hSetBuffering stdout LineBuffering >> answer

answer :: IO ()
answer = do
  line <- getLine
  case take 1 (words line) of
    ["READY"] -> putStrLn "OK" >> answer
    ["TURN"] -> putStrLn "MOVE -1 -1" >> answer
    ["FINISH"] -> return ()
    _ -> answer

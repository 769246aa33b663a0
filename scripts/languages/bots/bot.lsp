(while (and (read-line) (not (starts-with (current-line) "FINISH")))
  (if (starts-with (current-line) "READY") (println "OK")
      (starts-with (current-line) "TURN") (println "MOVE -1 -1")))
(exit)

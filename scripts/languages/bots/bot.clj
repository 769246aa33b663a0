(require '[clojure.string :as text])
(loop [line (read-line)]
  (when (and line (not (text/starts-with? line "FINISH")))
    (cond (text/starts-with? line "READY") (println "OK")
          (text/starts-with? line "TURN") (println "MOVE -1 -1"))
    (flush)
    (recur (read-line))))

#lang racket/base
(require racket/string)
(define (say text) (displayln text) (flush-output))
(for ([line (in-lines)])
  (cond [(string-prefix? line "READY") (say "OK")]
        [(string-prefix? line "TURN") (say "MOVE -1 -1")]
        [(string-prefix? line "FINISH") (exit)]))

;;;; Bacteria War: a sample bot in Common Lisp. It looks ahead while its time lasts. Replace CHOOSE by your own idea.
;;;;
;;;; Run: sbcl --script sample.lisp        (it needs SBCL's POSIX-GETENV)

;;; ---- Board --------------------------------------------------------------------------------------------------------
;;; A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, OWN and FOE,
;;; seen by the player to move. A move is a pair of cells (from . to), each 0..48; a PASS is NIL.

(deftype cells () '(unsigned-byte 49))
(defconstant +side+ 7)
(defconstant +area+ (* +side+ +side+))
(defconstant +full+ (1- (ash 1 +area+)))

(defun set-of (&rest list)
  (reduce #'logior list :key (lambda (cell) (ash 1 cell)) :initial-value 0))

(defun start ()
  "The first player, who moves, has (1,1) and (7,7)."
  (values (set-of 0 48) (set-of 6 42)))

(defun distance (a b)
  (max (abs (- (floor a +side+) (floor b +side+))) (abs (- (mod a +side+) (mod b +side+)))))

(defun around (wanted)
  "For every cell, the set of the cells at this distance."
  (coerce (loop for a below +area+
                collect (apply #'set-of (loop for b below +area+ when (= (distance a b) wanted) collect b)))
          '(simple-array cells (*))))

(declaim (type (simple-array cells (*)) *near* *far*))
(defvar *near* (around 1))                    ; a division comes from there, an infection goes there
(defvar *far* (around 2))                     ; a leap comes from there

(defun cells (set)
  "The cells of a set, ascending."
  (declare (type cells set))
  (loop until (zerop set)
        collect (1- (integer-length (logand set (- set))))
        do (setf set (logand set (1- set)))))

;;; ---- Rules --------------------------------------------------------------------------------------------------------

(defun list-moves (own foe)
  "All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all."
  (declare (type cells own foe))
  (let ((moves (loop for to in (cells (logandc2 +full+ (logior own foe)))
                     for infected = (logcount (logand foe (aref *near* to)))
                     for division = (first (cells (logand own (aref *near* to))))
                     when division
                       collect (cons (1+ (* 2 infected)) (cons division to))
                     nconc (loop for from in (cells (logand own (aref *far* to)))
                                 collect (cons (* 2 infected) (cons from to))))))
    (or (mapcar #'cdr (stable-sort moves #'> :key #'car)) ; equals stay in their order
        (list nil))))

(defun after (own foe move)
  "The board after a move, seen by the other player: his cells, then those of the one who moved."
  (declare (type cells own foe))
  (if (null move)
      (values foe own)
      (destructuring-bind (from . to) move
        (let ((infected (logand foe (aref *near* to)))
              (stayed (if (logbitp from (aref *far* to)) (logandc2 own (ash 1 from)) own))) ; a leap empties its source
          (values (logandc2 foe infected) (logior stayed infected (ash 1 to)))))))

;;; ---- Choice -------------------------------------------------------------------------------------------------------

(defconstant +share+ 30)                      ; a move may take a thirtieth of the time left,
(defconstant +reserve+ 100)                   ; but for the last 100 milliseconds
(defconstant +max-depth+ 64)                  ; moves to look ahead; a bot with a small number repeats its games
(defconstant +infinity+ 1000000)
(defvar *deadline*)

(defun search-after (own foe move depth alpha beta)
  "What a move is worth to the one who makes it, if DEPTH moves follow."
  (multiple-value-bind (next-own next-foe) (after own foe move)
    (- (search-moves next-own next-foe depth (- beta) (- alpha)))))

(defun search-moves (own foe depth alpha beta)
  "What the player to move can reach in DEPTH moves: own cells minus foe cells (negamax with alpha-beta)."
  (declare (type cells own foe) (type fixnum depth alpha beta))
  (let ((lead (- (logcount own) (logcount foe))))
    (cond ((or (zerop own) (zerop foe) (= (logior own foe) +full+)) (* 100 lead)) ; the game is over
          ((zerop depth) lead)
          ((> (get-internal-real-time) *deadline*) (throw 'out-of-time nil))
          (t (loop for move in (list-moves own foe)
                   do (setf alpha (max alpha (search-after own foe move (1- depth) alpha beta)))
                   until (or (>= alpha beta) (= depth 1))) ; the last move is the one that gains most
             alpha))))

(defun choose (own foe my-time)
  "The move to play; MY-TIME is what is left of the clock for the whole game, in milliseconds."
  (setf *deadline* (+ (get-internal-real-time)
                      (round (* (- my-time +reserve+) internal-time-units-per-second) (* +share+ 1000))))
  (let ((moves (list-moves own foe)))
    (when (rest moves)
      (catch 'out-of-time
        (loop for depth from 1 below +max-depth+
              do (loop with alpha = (- +infinity+) and best
                       for move in moves
                       for value = (search-after own foe move depth alpha +infinity+)
                       when (> value alpha) do (setf alpha value best move)
                       finally (setf moves (cons best (remove best moves))))))) ; the next iteration tries it first
    (first moves)))

;;; ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ---------------------------

(defun words (text)
  (with-input-from-string (in text)
    (loop for word = (read in nil) while word collect word)))

(defun read-position (rows mover)
  "Where the game begins: rows of x (first), o and numbers of empty cells; who moves."
  (let ((x 0) (o 0) (cell 0))
    (loop for c across (remove #\/ (string-downcase rows))
          do (case c (#\x (setf x (logior x (ash 1 cell)))) (#\o (setf o (logior o (ash 1 cell)))))
             (incf cell (or (digit-char-p c) 1)))
    (if (eq mover 'x) (values x o) (values o x))))

(defun play ()
  (multiple-value-bind (own foe) (start)
    (loop for text = (read-line *standard-input* nil)
          for (command a b c d) = (and text (words text))
          while text
          do (case command
               (ready (write-line "OK"))        ; FIRST or SECOND, which follows from the moves as well
               (turn
                (let ((move (choose own foe a)))
                  (multiple-value-setq (own foe) (after own foe move))
                  (format t "MOVE~{ ~d~}~%"
                          (if move
                              (loop for cell in (list (car move) (cdr move))
                                    collect (1+ (floor cell +side+)) collect (1+ (mod cell +side+)))
                              '(-1 -1 -1 -1)))))
               ((opp opening)                   ; OPENING: a move made for us before READY
                (flet ((cell (x y) (+ (* +side+ (1- x)) (1- y))))
                  (multiple-value-setq (own foe) (after own foe (and (plusp a) (cons (cell a b) (cell c d)))))))
               (position (multiple-value-setq (own foe) (read-position (string a) b)))
               (finish
                (unless (sb-ext:posix-getenv "AGON_STAY") (return))
                (multiple-value-setq (own foe) (start)))) ; the same program plays the next game, too
             (finish-output))))                 ; or the judge waits for an answer that never leaves this process

(play)

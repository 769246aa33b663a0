;;;; Domineering: a sample bot in Common Lisp. It looks ahead while its time lasts. Replace CHOOSE by your own idea.
;;;;
;;;; Run: sbcl --script sample.lisp        (it needs SBCL's POSIX-GETENV)

;;; ---- Board --------------------------------------------------------------------------------------------------------
;;; Each player lays dominoes along lines of his own: +FIRST+ the rows, the other the columns. A place (line . i) is a
;;; line and the index of the domino's first cell on it, from 0; a PASS is NIL. OWN and FOE are the lines of the player
;;; to move and those of the other; each line is a number, in which bit i is set if its cell i is taken.

(defconstant +first+ 0)                       ; the other of PLAYER is (- 1 player)
(defvar *weight* (vector #() #()))            ; for each player, the numbers on each of his lines

;;; ---- Rules --------------------------------------------------------------------------------------------------------

(defun points (player line i)
  (let ((numbers (aref (aref *weight* player) line)))
    (+ (aref numbers i) (aref numbers (1+ i)))))

(defun free-p (cells i)
  "Whether cells i and i+1 are free."
  (zerop (logand cells (ash 3 i))))

(defun after (own foe place)
  "The board after a move, seen by the other player: his lines, then those of the one who moved."
  (let ((own (copy-seq own)) (foe (copy-seq foe)))
    (when place
      (destructuring-bind (line . i) place
        (setf (aref own line) (logior (aref own line) (ash 3 i)))
        (loop for j from i to (1+ i)
              do (setf (aref foe j) (logior (aref foe j) (ash 1 line))))))
    (values foe own)))

;;; ---- Choice -------------------------------------------------------------------------------------------------------

(defconstant +share+ 10)                      ; a move may take a tenth of the time left,
(defconstant +reserve+ 100)                   ; but for the last 100 milliseconds
(defconstant +max-depth+ 64)                  ; moves to look ahead; a bot with a small number repeats its games
(defconstant +infinity+ 1000000)
(defvar *deadline*)
(defvar *known* (make-hash-table))    ; what LINE-PROSPECTS has returned

(defun line-prospects (player line cells)
  "The points a player could still make on a line with these cells taken, if the other laid no more dominoes.
The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two."
  (let ((key (+ player (* 2 (+ line (* 256 cells))))))
    (or (gethash key *known*)
        (setf (gethash key *known*)
              (loop with best = 0 and shorter = 0 ; for the first j cells and the first j-1 cells
                    for i from 0 below (1- (length (aref (aref *weight* player) line)))
                    for with-domino = (if (free-p cells i) (+ shorter (points player line i)) 0)
                    do (shiftf shorter best (max best with-domino))
                    finally (return best))))))

(defun prospects (player lines)
  "What a player could make on all his lines; his dominoes never cross from line to line."
  (loop for cells across lines
        for line from 0
        sum (line-prospects player line cells)))

(defstruct move value gain place)

(defun list-moves (player own foe)
  "All moves, the highest value first. The value is the points and the board after them: own prospects minus the
other's. A move changes one line of the player and two of the other."
  (let ((now (- (prospects player own) (prospects (- 1 player) foe))))
    (flet ((change (who line cells more)
             (- (line-prospects who line (logior cells more)) (line-prospects who line cells))))
      (stable-sort
       (loop for cells across own
             for line from 0
             nconc (loop for i from 0 below (1- (length foe))
                         for gain = (points player line i)
                         when (free-p cells i)
                           collect (make-move
                                    :gain gain :place (cons line i)
                                    :value (- (+ now gain (change player line cells (ash 3 i)))
                                              (change (- 1 player) i (aref foe i) (ash 1 line))
                                              (change (- 1 player) (1+ i) (aref foe (1+ i)) (ash 1 line))))))
       #'> :key #'move-value))))                ; equals stay in their order

(defun value-of (player own foe move depth alpha beta)
  "The points of a move and those that follow it in a search of this depth."
  (multiple-value-bind (next-own next-foe) (after own foe (move-place move))
    (let ((gain (move-gain move)))
      (- gain (search-moves (- 1 player) next-own next-foe depth (- gain beta) (- gain alpha))))))

(defun search-moves (player own foe depth alpha beta)
  "The points that the player to move can still gain on the other one (negamax with alpha-beta)."
  (when (> (get-internal-real-time) *deadline*) (throw 'out-of-time nil))
  (let ((moves (list-moves player own foe)))
    (cond ((null moves) (- (prospects (- 1 player) foe))) ; the other one now lays all the dominoes that fit
          ((= depth 1) (move-value (first moves)))
          (t (loop for move in moves
                   do (setf alpha (max alpha (value-of player own foe move (1- depth) alpha beta)))
                   until (>= alpha beta))
             alpha))))

(defun choose (player own foe my-time)
  "The place to play; a PASS only when there is none. MY-TIME, in milliseconds, is left for the whole game."
  (setf *deadline* (+ (get-internal-real-time)
                      (round (* (- my-time +reserve+) internal-time-units-per-second) (* +share+ 1000))))
  (let ((moves (list-moves player own foe)))
    (when (rest moves)
      (catch 'out-of-time
        (loop for depth from 1 below +max-depth+
              do (loop with alpha = (- +infinity+) and best
                       for move in moves
                       for value = (value-of player own foe move depth alpha +infinity+)
                       when (> value alpha) do (setf alpha value best move)
                       finally (setf moves (cons best (remove best moves))))))) ; the next iteration tries it first
    (and moves (move-place (first moves)))))

;;; ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -----------

(defun words (text)
  (with-input-from-string (in text)
    (loop for word = (read in nil) while word collect word)))

(defun play (&aux (player +first+) (own #()) (foe #()))
  (loop for text = (read-line *standard-input* nil)
        for (command x y) = (and text (words text))
        while text
        do (case command
             (ready (write-line "OK"))          ; FIRST or SECOND, which follows from the moves as well
             ((turn opp opening)                ; OPENING: a move made for us before READY
              (let ((place (cond ((eq command 'turn) (choose player own foe x))
                                 ((plusp x) (if (= player +first+) (cons (1- x) (1- y)) (cons (1- y) (1- x)))))))
                (when (eq command 'turn)
                  (destructuring-bind (line . i) (or place '(-2 . -2))
                    (format t "MOVE ~{~d ~d~}~%" (mapcar #'1+ (if (= player +first+) (list line i) (list i line))))))
                (multiple-value-setq (own foe) (after own foe place))
                (setf player (- 1 player))))
             (finish
              (unless (sb-ext:posix-getenv "AGON_STAY") (return))
              (setf player +first+ *weight* (vector #() #())) ; the same program plays the next game, too
              (clrhash *known*))
             (t (let* ((row (coerce (words text) 'vector))
                       (rows (concatenate 'vector (aref *weight* +first+) (list row)))) ; a row of the board
                  (flet ((column (i) (map 'vector (lambda (row) (aref row i)) rows)))
                    (setf *weight* (vector rows (coerce (loop for i below (length row) collect (column i)) 'vector))))
                  (setf own (make-array (length rows) :initial-element 0)
                        foe (make-array (length row) :initial-element 0)))))
           (finish-output)))                    ; or the judge waits for an answer that never leaves this process

(play)

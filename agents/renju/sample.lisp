;;;; Renju: a sample bot in Common Lisp. It looks ahead while its time lasts. Replace CHOOSE by your own idea.
;;;;
;;;; Run: sbcl --script sample.lisp        (it needs SBCL's POSIX-GETENV)

;;; ---- Board --------------------------------------------------------------------------------------------------------
;;; A board is a vector of cells, row by row, with a margin of walls. A direction is the distance to the next cell. A
;;; position is a board seen by the player to move: its score for him, and what a stone on each cell is worth to both.
(defconstant +side+ 15)
(defconstant +width+ 20)
(defconstant +black+ 1)                       ; the other of PLAYER is (- 3 player)
(defconstant +white+ 2)
(defconstant +empty+ 0)
(defconstant +wall+ 3)
(defconstant +pass+ (1- (* 4 +width+)))       ; as if it were the cell (-1,-1)
(defvar *directions* (list 1 +width+ (1+ +width+) (1- +width+)))
(defvar *cells* (loop for n below (* +side+ +side+) collect (+ (* +width+ (+ 6 (floor n +side+))) (mod n +side+) 1)))

(deftype numbers () '(simple-array fixnum (*)))
(defun numbers (value) (make-array (* 27 +width+) :element-type 'fixnum :initial-element value))

(defstruct pos
  (board (numbers +wall+) :type numbers) (player +black+ :type fixnum) (stones 0 :type fixnum)
  (score 0 :type fixnum) (own (numbers 0) :type numbers) (foe (numbers 0) :type numbers))

(defun start (&aux (pos (make-pos)))
  (dolist (cell *cells* pos) (setf (aref (pos-board pos) cell) +empty+)))

(defun count-of (wanted board from d n)
  "How many of the N cells from FROM on, in direction D, hold WANTED."
  (declare (type numbers board) (type fixnum wanted from d n))
  (loop for cell of-type fixnum = from then (+ cell d) repeat n count (= (aref board cell) wanted)))

;;; ---- Rules --------------------------------------------------------------------------------------------------------
(defun shapes (board cell d)
  "What a black stone on the cell makes in direction D: the length of its row, FOURs, THREEs."
  (flet ((run (step) (loop for at = (+ cell step) then (+ at step) while (= (aref board at) +black+) count t))
         (holds (wanted back n) (count-of wanted board (- cell (* back d)) d n)))
    (flet ((four-p (back) (and (= (holds +black+ back 5) 4) (= (holds +empty+ back 5) 1)))
           (three-p (back) (and (= (holds +black+ back 4) 3) (= (holds +empty+ (1+ back) 6) 3))))
      (list (+ 1 (run d) (run (- d)))
            ;; A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
            (if (some #'four-p '(0 1 2 3 4)) (min 2 (- (holds +black+ 4 9) 3)) 0)
            ;; A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
            (if (some #'three-p '(0 1 2 3)) 1 0)))))

(defun may-play (pos cell)
  "Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed."
  (let ((stones (pos-stones pos)) (board (copy-seq (pos-board pos))))
    (cond ((< stones 3)                       ; the first is on (8,8), the second a step from it, the third two
           (<= (max (abs (- (floor cell +width+) 13)) (abs (- (mod cell +width+) 8))) stones))
          ((= (pos-player pos) +white+) t)
          (t (setf (aref board cell) +black+)
             (let ((made (mapcar (lambda (d) (shapes board cell d)) *directions*)))
               (or (find 5 made :key #'first)
                   (and (notany (lambda (shape) (> (first shape) 5)) made)
                        (< (reduce #'+ made :key #'second) 2)
                        (< (reduce #'+ made :key #'third) 2))))))))

;;; ---- Choice -------------------------------------------------------------------------------------------------------
;;; A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The
;;; index is the number of those stones, in the first vector for own ones, in the second for the opponent's. ORDER is
;;; for moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.
(defconstant +win+ 1000000)
(defconstant +four+ 50000)
(defconstant +infinity+ 10000000)
(defconstant +breadth+ 10)                    ; moves tried in a position
(defconstant +max-depth+ 64)                  ; moves to look ahead; a bot with a small number repeats its games
(defconstant +share+ 30)                      ; a move may take a thirtieth of the time left,
(defconstant +reserve+ 100)                   ; but for the last 100 milliseconds
(defvar *deadline*)

(defun worth (own-worths foe-worths own foe)
  (cond ((zerop foe) (svref own-worths own)) ((zerop own) (svref foe-worths foe)) (t 0)))
(defun order (own foe) (worth #(0 6 50 1500 1000000 0) #(0 5 40 1000 50000 0) own foe))
(defun value (own foe) (worth #(1 6 50 500 0) #(0 1 7 57 557) own foe))

(defun after (old cell)
  "The position after a move. It changes the 20 fives through the cell, and so the worth of their other cells."
  (let* ((board (copy-seq (pos-board old))) (own (copy-seq (pos-own old))) (foe (copy-seq (pos-foe old)))
         (player (pos-player old)) (score (pos-score old)) (passed (= cell +pass+)))
    (dolist (d (if passed nil *directions*))
      (loop for from = (- cell (* 4 d)) then (+ from d) repeat 5
            for mine = (count-of player board from d 5)
            for others = (count-of (- 3 player) board from d 5)
            when (zerop (count-of +wall+ board from d 5))
              do (incf score (value mine others))
                 (loop for near = from then (+ near d) repeat 5
                       do (incf (aref own near) (- (order (1+ mine) others) (order mine others)))
                          (incf (aref foe near) (- (order others (1+ mine)) (order others mine))))))
    (unless passed (setf (aref board cell) player))
    (make-pos :board board :player (- 3 player) :stones (+ (pos-stones old) (if passed 0 1))
              :score (- score) :own foe :foe own)))

(defun list-moves (pos &aux (own (pos-own pos)) (moves nil))
  "The moves to try, the one worth most first; after a four, only those that complete or block it."
  (flet ((worth-of (cell) (aref own cell)) (free-p (cell) (= (aref (pos-board pos) cell) +empty+)))
    (loop for cell in (stable-sort (remove-if-not #'free-p *cells*) #'> :key #'worth-of) ; equals stay in their order
          until (or (= (length moves) +breadth+)
                    (and moves (< (worth-of cell) +four+) (>= (worth-of (first (last moves))) +four+)))
          when (may-play pos cell) do (push cell moves))
    (nreverse moves)))

(defun search-moves (pos depth alpha beta)
  "What the player to move can reach in DEPTH moves (negamax with alpha-beta)."
  (when (> (get-internal-real-time) *deadline*) (throw 'out-of-time nil))
  (let* ((moves (and (plusp depth) (list-moves pos)))
         (best (if moves (aref (pos-own pos) (first moves)) 0)))
    (cond ((null moves) (pos-score pos))
          ((>= best +win+) (+ +win+ (- (* +side+ +side+) (pos-stones pos)))) ; the sooner, the better
          (t (when (>= best +four+) (incf depth)) ; a forced move does not count
             (loop for cell in moves
                   do (setf alpha (max alpha (- (search-moves (after pos cell) (1- depth) (- beta) (- alpha)))))
                   until (or (>= alpha beta) (= depth 1))) ; the last move is the one that looks best
             alpha))))

(defun choose (pos my-time)
  "The cell to play, or a PASS when none is sure to be legal. MY-TIME, in milliseconds, is left for the whole game."
  (setf *deadline* (+ (get-internal-real-time)
                      (round (* (- my-time +reserve+) internal-time-units-per-second) (* +share+ 1000))))
  (let ((moves (list-moves pos)))
    (when (and (rest moves) (< (aref (pos-own pos) (first moves)) +win+))
      (catch 'out-of-time
        (loop for depth from 2 below +max-depth+
              do (loop with alpha = (- +infinity+) and best
                       for cell in moves
                       for value = (- (search-moves (after pos cell) depth (- +infinity+) (- alpha)))
                       when (> value alpha) do (setf alpha value best cell)
                       finally (setf moves (cons best (remove best moves))))))) ; the next iteration tries it first
    (or (first moves) +pass+)))

;;; ---- Protocol: one command a line; a PASS is -1 -1 ----------------------------------------------------------------
(defun words (text)
  (with-input-from-string (in text) (loop for word = (read in nil) while word collect word)))

(defun play (&aux (pos (start)))
  (loop for text = (read-line *standard-input* nil)
        for (command x y) = (and text (words text))
        while text
        do (case command
             (ready (write-line "OK"))        ; FIRST or SECOND, which follows from the moves as well
             (turn (let ((cell (choose pos x)))
                     (format t "MOVE ~{~d ~d~}~%"
                             (if (= cell +pass+) '(-1 -1) (list (- (floor cell +width+) 5) (mod cell +width+))))
                     (setf pos (after pos cell))))
             ((opp opening) (setf pos (after pos (+ (* +width+ (+ x 5)) y)))) ; OPENING: a move made before READY
             (finish (unless (sb-ext:posix-getenv "AGON_STAY") (return))
                     (setf pos (start))))     ; the same program plays the next game, too
           (finish-output)))                  ; or the judge waits for an answer that never leaves this process
(play)

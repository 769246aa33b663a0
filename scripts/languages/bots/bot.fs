: say ( addr n -- ) type cr stdout flush-file throw ;
: is? ( addr n addr n -- flag ) string-prefix? ;
: answer ( addr n -- )
  2dup s" READY" is? if 2drop s" OK" say exit then
  2dup s" TURN" is? if 2drop s" MOVE -1 -1" say exit then
  s" FINISH" is? if bye then ;
: main begin pad 1000 stdin read-line throw while pad swap answer repeat drop ;
main bye

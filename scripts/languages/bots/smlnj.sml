fun is word line = String.isPrefix word line;
fun say text = (print (text ^ "\n"); TextIO.flushOut TextIO.stdOut);
fun answer () =
  case TextIO.inputLine TextIO.stdIn of
    NONE => ()
  | SOME line =>
      if is "FINISH" line then ()
      else (if is "READY" line then say "OK" else if is "TURN" line then say "MOVE -1 -1" else (); answer ());
fun main () = answer ();
val _ = SMLofNJ.exportFn ("bot", fn _ => (main (); OS.Process.success));

       identification division.
       program-id. bot.
       environment division.
       input-output section.
       file-control.
           select lines-in assign to keyboard
               organization line sequential status is state.
       data division.
       file section.
       fd lines-in.
       01 line-in pic x(256).
       working-storage section.
       01 state pic xx value "00".
       procedure division.
           open input lines-in
           perform until state not = "00"
               read lines-in
               if state = "00"
                   evaluate true
                       when line-in(1:5) = "READY" display "OK"
                       when line-in(1:4) = "TURN" display "MOVE -1 -1"
                       when line-in(1:6) = "FINISH" move "10" to state
                   end-evaluate
               end-if
           end-perform
           stop run.

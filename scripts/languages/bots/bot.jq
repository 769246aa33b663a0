if startswith("READY") then "OK" elif startswith("TURN") then "MOVE -1 -1" else empty end

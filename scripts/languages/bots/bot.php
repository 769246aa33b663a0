<?php
$rows = [];
while (($line = fgets(STDIN)) !== false) {
    $words = explode(" ", trim($line));
    if (ctype_digit($words[0])) $rows[] = $words;
    elseif ($words[0] === "READY") echo "OK\n";
    elseif ($words[0] === "TURN") echo "MOVE -1 -1\n";
    elseif ($words[0] === "FINISH") break;
}

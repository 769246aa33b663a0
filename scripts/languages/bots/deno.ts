import process from "node:process";
import * as readline from "node:readline";

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line: string) => {
  if (line.startsWith("READY")) console.log("OK");
  else if (line.startsWith("TURN")) console.log("MOVE -1 -1");
  else if (line.startsWith("FINISH")) process.exit(0);
});

// Without the types of Node, which Debian does not have as a package of their own.
declare const process: any;
declare function require(name: string): any;

const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line: string) => {
  if (line.startsWith("READY")) console.log("OK");
  else if (line.startsWith("TURN")) console.log("MOVE -1 -1");
  else if (line.startsWith("FINISH")) process.exit(0);
});

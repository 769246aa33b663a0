var input = new java.io.BufferedReader(new java.io.InputStreamReader(java.lang.System["in"]));
for (var line; (line = input.readLine()) !== null && !line.startsWith("FINISH");) {
  if (line.startsWith("READY")) print("OK");
  if (line.startsWith("TURN")) print("MOVE -1 -1");
}

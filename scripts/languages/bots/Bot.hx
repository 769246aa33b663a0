class Bot {
  static function main() {
    final input = Sys.stdin();
    while (true) {
      final line = try input.readLine() catch (e:haxe.io.Eof) break;
      if (StringTools.startsWith(line, "READY")) Sys.println("OK");
      else if (StringTools.startsWith(line, "TURN")) Sys.println("MOVE -1 -1");
      else if (StringTools.startsWith(line, "FINISH")) break;
    }
  }
}

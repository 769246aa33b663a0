using System;

class Bot {
    static void Main() {
        for (string line; (line = Console.ReadLine()) != null && !line.StartsWith("FINISH");) {
            if (line.StartsWith("READY")) Console.WriteLine("OK");
            if (line.StartsWith("TURN")) Console.WriteLine("MOVE -1 -1");
        }
    }
}

package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		word, _, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "READY":
			fmt.Println("OK")
		case "TURN":
			fmt.Println("MOVE -1 -1")
		case "FINISH":
			return
		}
	}
}

// gen writes the table of settings into a file of Markdown, its argument.
package main

import (
	"log"
	"os"

	"aqueduct/roc/settings"
)

func main() {
	name := os.Args[1]
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	whole, err := settings.Insert(string(text))
	if err != nil {
		log.Fatal(name, ": ", err)
	}
	if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
		log.Fatal(err)
	}
}

// gen writes the table of settings into its arguments: files of Markdown, and manual pages.
package main

import (
	"log"
	"os"

	"aqueduct/roc/settings"
)

func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		whole, err := settings.Insert(name, string(text))
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

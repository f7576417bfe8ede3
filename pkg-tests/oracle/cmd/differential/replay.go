package main

import (
	"fmt"
	"os"

	"slicewise/oracle/compare"
	"slicewise/oracle/corpus"
	"slicewise/oracle/differential"
)

// replay compares the cases of the corpus with the reference.
func replay(s *settings) (bool, error) {
	files := []string{s.replay}
	if info, err := os.Stat(s.replay); err != nil {
		return false, err
	} else if info.IsDir() {
		if files, err = corpus.Files(s.replay); err != nil {
			return false, err
		}
	}
	asked, err := start(s)
	if err != nil {
		return false, err
	}
	failed := 0
	for _, file := range files {
		c, err := corpus.Read(file)
		if err != nil {
			return false, err
		}
		verdict, err := differential.Judge(asked, c.Steps(), compare.Runs)
		if err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		if !verdict.OK {
			failed++
			fmt.Printf("\n%s differs (%s): %s\n", file, verdict.Kind, verdict.Detail)
		}
	}
	fmt.Printf("%d passed, %d failed\n", len(files)-failed, failed)
	return failed > 0, asked.Close()
}

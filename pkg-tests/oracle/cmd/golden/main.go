// Command golden computes the reference's outcomes for the golden cases.
//
//	golden [-check] [-runs N] FILE-OR-DIRECTORY…
//
// Without -check it writes "expected" into each file, or into one of the same name
// in the folder of a version that expects something else. With -check it fails if
// an outcome of the reference is not among those that a file expects.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"slicewise/oracle/corpus"
)

func main() {
	check := flag.Bool("check", false, "compare only, write nothing")
	runs := flag.Int("runs", 200, "how often to run the reference for each step")
	flag.Parse()
	stale, err := run(flag.Args(), *check, *runs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "golden:", err)
		os.Exit(1)
	}
	if stale > 0 {
		fmt.Printf("%d cases are stale\n", stale)
		os.Exit(1)
	}
}

func run(paths []string, check bool, runs int) (stale int, err error) {
	files, err := expand(paths)
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		read := file
		if check {
			read = corpus.Golden(file)
		}
		c, err := corpus.Read(read)
		if err != nil {
			return stale, err
		}
		if check {
			found, err := corpus.Stale(c, runs)
			if err != nil {
				return stale, fmt.Errorf("%s: %w", file, err)
			}
			for _, text := range found {
				fmt.Println(file, text)
			}
			stale += min(len(found), 1)
			continue
		}
		if c.Expected, err = corpus.Expect(c, runs); err != nil {
			return stale, fmt.Errorf("%s: %w", file, err)
		}
		if err := c.WriteGolden(file); err != nil {
			return stale, err
		}
	}
	fmt.Printf("%d cases\n", len(files))
	return stale, nil
}

func expand(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		inside, err := filepath.Glob(filepath.Join(path, "*.json"))
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

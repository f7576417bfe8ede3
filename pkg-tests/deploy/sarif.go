package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	// Its source has the schema as a constant; nothing else of it is used, since its types write fields that were not read.
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

// validateSarif checks the logs on standard input against the schema of SARIF 2.1.0, which is in the folder of the module
// go-sarif.
func validateSarif(args []string) error {
	text, err := schemaIn(filepath.Join(args[0], "pkg/report/v210/sarif/schema.go"))
	if err != nil {
		return err
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(os.Stdin)
	for number := 1; decoder.More(); number++ {
		var log json.RawMessage
		if err := decoder.Decode(&log); err != nil {
			return fmt.Errorf("log %d: %w", number, err)
		}
		result, err := schema.Validate(gojsonschema.NewBytesLoader(log))
		if err != nil {
			return fmt.Errorf("log %d: %w", number, err)
		}
		if !result.Valid() {
			return fmt.Errorf("log %d: %v", number, result.Errors())
		}
	}
	return nil
}

// schemaIn returns the constant `schema` of a Go file.
func schemaIn(path string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return "", err
	}
	if object := file.Scope.Lookup("schema"); object != nil {
		if spec, is := object.Decl.(*ast.ValueSpec); is && len(spec.Values) == 1 {
			if literal, is := spec.Values[0].(*ast.BasicLit); is {
				return strconv.Unquote(literal.Value)
			}
		}
	}
	return "", fmt.Errorf("%s has no constant `schema`", path)
}

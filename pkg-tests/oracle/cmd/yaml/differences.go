package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v2"
)

// difference is something that the two read differently on purpose. Without
// it, they must agree: a document is known to differ by it if they agree on
// the document after mend.
type difference struct {
	// name is how docs/deviations.md calls it.
	name string
	// example is a document that differs by nothing else.
	example string
	mend    func(string) string
}

// differences are those of docs/deviations.md. A document may have several: they are mended in this order.
var differences = []difference{
	{"Tags", "a: !mine b\n", replace(`![^\s,]*`, "")},
	{"Content beside `---`", "--- a\n", replace("(?m)^---+", "---\n")},
	{"`...`", "a: 1\n...\nb: 1\n", replace(`(?m)^\.\.\.([ \t].*)?$`, "---")},
	{"The line breaks of YAML 1.1", "a: b\u2028\n", replace("[\u0085\u2028\u2029]", "é")},
	{"Carriage returns alone", "a: 1\r--- \rb: 1\r", replace(`\r\n?`, "\n")},
	{"Byte order marks within a document", "a: \ufeffb\n", replace("\ufeff", "")},
	{"Directives", "%YAML 1.1\n---\na: 1\n", replace("(?m)^%.*$", "")},
	{"Tabs before a key or value", "\ta: 1\n", replace(`\t`, " ")},
	{"Names of anchors", "a: &.x b\nc: *.x\n", replace(`([&*])[^\s,\[\]{}]*`, "${1}x ")},
	{"Block text that is not indented", "|\na\n", replace(`(?m)^( *(?:&\w+ )?)[|>][-+0-9]* *$`, "$1")},
	{"`\\'` in double quotes", `a: "\'"`, replace(`\\'`, "'")},
	{"Quoted text that is not indented", "a:\n  b: 'c\n d'\n", joinQuotes},
	{"Comments without a space before them", "a: {}#b\n", replace(`([\]}"']|[|>][-+0-9]*)#`, "$1 #")},
	{"Keys of several lines in brackets", "{a\n  b: c}\n", joinBrackets},
	{"`?` in a word in brackets", "[a?]\n", replace(`\?`, "")},
	{"`:` before a word in brackets", "[:a]\n", replace(`([\s,\[{:]):([^\s])`, "$1$2")},
	{"`:` before a comma or bracket", "{a:, b: 1}\n", replace(`:([,\]}])`, ": $1")},
	{"`-` alone in brackets", "[a, -]\n", replace(`([\[{,:]\s*)-(\s*[,\]}])`, "$1'-'$2")},
	{"`<<` with an alias of a list", "a: &x [{b: 1}]\n<<: *x\n", replace(`<<: *\*\S+`, "<<: []")},
	{"Numbers as keys", "1.10: a\n", quoteNumbers},
	{"What follows a document's value", " a: 1\nb: 2\n", dropUnread},
}

// checkDifferences refuses a table with rows that no longer hold or that
// the documentation lacks.
func checkDifferences(documentation string, ask func(string) (reading, error)) error {
	for _, each := range differences {
		if !strings.Contains(documentation, "| "+each.name+" |") {
			return fmt.Errorf("docs/deviations.md does not name %q", each.name)
		}
		ours, err := ask(each.example)
		if err != nil {
			return err
		}
		if unlikeReadings(each.example, ours, kubectl(each.example)) == "" {
			return fmt.Errorf("%q is no example of %q: both read it alike", each.example, each.name)
		}
		same, err := agree(each.mend(each.example), ask)
		if err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("%q is an example of more than %q", each.example, each.name)
		}
	}
	return nil
}

func replace(pattern, with string) func(string) string {
	compiled := regexp.MustCompile(pattern)
	return func(text string) string { return compiled.ReplaceAllString(text, with) }
}

var numbers = regexp.MustCompile(`(?m)(^|[\s{\[,?-])([-+.]?[0-9._][-+.\w]*)(\s*[:,}])`)

// quoteNumbers puts numbers that may be keys in quotes: twice, for those that
// follow each other.
func quoteNumbers(text string) string {
	once := numbers.ReplaceAllString(text, "$1'$2'$3")
	return numbers.ReplaceAllString(once, "$1'$2'$3")
}

// joinBrackets puts what is in brackets on one line.
func joinBrackets(text string) string {
	var joined strings.Builder
	open := 0
	for _, character := range text {
		switch character {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '\n':
			if open > 0 {
				character = ' '
			}
		}
		joined.WriteRune(character)
	}
	return joined.String()
}

var quotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`)

// joinQuotes puts quoted text on one line.
func joinQuotes(text string) string {
	return quotes.ReplaceAllStringFunc(text, replace(`\s*\n\s*`, " "))
}

// dropUnread leaves out what kubectl does not read: its decoder stops at the end
// of a document's first value, whatever follows.
func dropUnread(text string) string {
	documents := strings.Split(text, "\n---")
	for number, document := range documents {
		documents[number] = dropAfterValue(document)
	}
	return strings.Join(documents, "\n---")
}

func dropAfterValue(document string) string {
	theirs := kubectl(document)
	if theirs.refusal != "" {
		return document
	}
	isAll := func(part string) bool {
		read := kubectl(part)
		return read.refusal == "" && unlike(read.value, theirs.value, "") == ""
	}
	end := 0
	for line := range strings.Lines(document) {
		if isAll(document[:end+len(line)]) {
			for at := range line {
				if isAll(document[:end+at]) {
					return document[:end+at]
				}
			}
			return document[:end+len(line)]
		}
		end += len(line)
	}
	return document
}

// compare returns how the two readings of a document differ, and whether that
// is known.
func compare(text string, ours, theirs reading, ask func(string) (reading, error)) (string, bool, error) {
	found := unlikeReadings(text, ours, theirs)
	if found == "" {
		return "", true, nil
	}
	all := text
	for _, each := range differences {
		mended := each.mend(text)
		if mended != text {
			if same, err := agree(mended, ask); same || err != nil {
				return each.name, true, err
			}
		}
		all = each.mend(all)
	}
	same, err := agree(all, ask)
	if same || err != nil {
		return "several of these", true, err
	}
	return found, false, nil
}

func agree(text string, ask func(string) (reading, error)) (bool, error) {
	ours, err := ask(text)
	return err == nil && unlikeReadings(text, ours, kubectl(text)) == "", err
}

// keyOrValue are the refusals of a key that stands twice, and of a value that it loses.
var keyOrValue = regexp.MustCompile("appears twice|a key must be|^InvalidValue|^TooDeep")

// unlikeReadings returns how two readings differ; "" if both are refusals, or the
// same value. slicewise refuses on purpose what loses a value.
func unlikeReadings(text string, ours, theirs reading) string {
	switch {
	case ours.refusal != "" && theirs.refusal != "":
		return ""
	case ours.refusal != "":
		// What is refused may be the value that kubectl drops.
		isTwice := keyOrValue.MatchString(ours.refusal) && hasKeyTwice(text)
		isDeep := strings.HasPrefix(ours.refusal, "TooDeep") && depth(theirs.value) >= 99
		if isTwice || isDeep {
			return ""
		}
		return "only slicewise refuses"
	case theirs.refusal != "":
		return "only kubectl refuses"
	}
	return unlike(ours.value, theirs.value, "")
}

// hasKeyTwice tells whether a map of the text has two keys that are the same in
// JSON.
func hasKeyTwice(text string) bool {
	for document := range strings.SplitSeq(text, "\n---") {
		var value any
		if yaml.UnmarshalStrict([]byte(document), &value) != nil || isAmbiguous(value) {
			return true
		}
	}
	return false
}

func isAmbiguous(value any) bool {
	switch value := value.(type) {
	case map[any]any:
		keys := map[string]bool{}
		for key, each := range value {
			name := fmt.Sprint(key)
			if keys[name] || isAmbiguous(each) {
				return true
			}
			keys[name] = true
		}
	case []any:
		return slices.ContainsFunc(value, isAmbiguous)
	}
	return false
}

func depth(value any) int {
	most := 0
	switch value := value.(type) {
	case map[string]any:
		for _, each := range value {
			most = max(most, depth(each))
		}
	case []any:
		for _, each := range value {
			most = max(most, depth(each))
		}
	default:
		return 0
	}
	return most + 1
}

// unlike returns where two values first differ, and how; "" if they are equal.
func unlike(ours, theirs any, path string) string {
	switch ours := ours.(type) {
	case map[string]any:
		theirs, ok := theirs.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(ours)) {
			other, ok := theirs[key]
			if !ok {
				return fmt.Sprintf("%s: kubectl has no key %q", path, key)
			}
			if found := unlike(ours[key], other, path+"/"+key); found != "" {
				return found
			}
		}
		for _, key := range slices.Sorted(maps.Keys(theirs)) {
			if _, ok := ours[key]; !ok {
				return fmt.Sprintf("%s: slicewise has no key %q", path, key)
			}
		}
		return ""
	case []any:
		theirs, ok := theirs.([]any)
		if !ok || len(ours) != len(theirs) {
			break
		}
		for number, value := range ours {
			if found := unlike(value, theirs[number], fmt.Sprintf("%s/%d", path, number)); found != "" {
				return found
			}
		}
		return ""
	case json.Number:
		if theirs, ok := theirs.(json.Number); ok && sameNumber(string(ours), string(theirs)) {
			return ""
		}
	default:
		if ours == theirs {
			return ""
		}
	}
	return fmt.Sprintf("%s: %s, and for kubectl %s", path, reading{value: ours}, reading{value: theirs})
}

// sameNumber compares integers of 64 bits exactly, and others as Go reads them.
func sameNumber(ours, theirs string) bool {
	one, isInteger := new(big.Int).SetString(ours, 10)
	other, isOther := new(big.Int).SetString(theirs, 10)
	if isInteger && isOther && one.IsInt64() {
		return one.Cmp(other) == 0
	}
	float, err := strconv.ParseFloat(ours, 64)
	if err != nil {
		return false
	}
	theirFloat, err := strconv.ParseFloat(theirs, 64)
	return err == nil && float == theirFloat
}

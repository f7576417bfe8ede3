package generate

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Encode writes any value of this package as one line, as encoding/json would:
// most values are maps, at which that is slow.
func Encode(value any) []byte { return appendJSON(make([]byte, 0, 1024), value) }

func appendJSON(to []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		return appendText(to, value)
	case int:
		return strconv.AppendInt(to, int64(value), 10)
	case bool:
		return strconv.AppendBool(to, value)
	case Object:
		if value != nil {
			return appendObject(to, value)
		}
	case []Object:
		if value != nil {
			return appendList(to, value)
		}
	case []any:
		if value != nil {
			return appendList(to, value)
		}
	}
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, numbers and slices only
	}
	return append(to, data...)
}

func appendObject(to []byte, object Object) []byte {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	to = append(to, '{')
	for i, key := range keys {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendText(to, key), ':')
		to = appendJSON(to, object[key])
	}
	return append(to, '}')
}

func appendList[T any](to []byte, list []T) []byte {
	to = append(to, '[')
	for i, item := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendJSON(to, item)
	}
	return append(to, ']')
}

func appendText(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			data, _ := json.Marshal(text) // a string can always be written
			return append(to, data...)
		}
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"')
}

// Package cel evaluates a table of expressions as the API server does for a ValidatingAdmissionPolicy. The unit tests
// of slicewise-admission evaluate the same table, and both must agree with the outcomes written there.
package cel

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"reflect"
	"testing"

	celgo "github.com/google/cel-go/cel"
	"google.golang.org/protobuf/types/known/structpb"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

const file = "../../../crates/admission/src/cel/tests/cases.json"

var update = flag.Bool("update", false, "write the outcomes into the table")

// table is the file: the objects of one request, and expressions with their outcomes: a JSON value, or the texts
// `refused` for what does not compile and `error` for what has no value.
type table struct {
	Object    corev1.Service    `json:"object"`
	OldObject corev1.Service    `json:"oldObject"`
	Params    map[string]any    `json:"params"`
	Cases     []json.RawMessage `json:"cases"`
}

type expression string

func (e expression) GetExpression() string      { return string(e) }
func (e expression) ReturnTypes() []*celgo.Type { return []*celgo.Type{celgo.AnyType} }

func TestCases(t *testing.T) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var given table
	if err := json.Unmarshal(text, &given); err != nil {
		t.Fatal(err)
	}
	if len(given.Cases) == 0 {
		t.Fatal("the table has no expressions")
	}
	compiler := plugincel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	var written bytes.Buffer
	for place, raw := range given.Cases {
		var pair [2]any
		if err := json.Unmarshal(raw, &pair); err != nil {
			t.Fatalf("case %d: %v", place, err)
		}
		text, _ := pair[0].(string)
		outcome := given.outcome(t, compiler, text)
		if !*update && !reflect.DeepEqual(outcome, pair[1]) {
			t.Errorf("%s: the API server has %v, the table %v", text, outcome, pair[1])
		}
		line := encode(t, [2]any{text, outcome})
		if place > 0 {
			written.WriteString(",\n")
		}
		written.WriteString("    " + line)
	}
	if *update {
		start := bytes.Index(text, []byte("\"cases\": [\n")) + len("\"cases\": [\n")
		whole := append(append([]byte{}, text[:start]...), append(written.Bytes(), "\n  ]\n}\n"...)...)
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func encode(t *testing.T, value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

// outcome is what the API server makes of an expression.
func (given *table) outcome(t *testing.T, compiler plugincel.ConditionCompiler, text string) any {
	options := plugincel.OptionalVariableDeclarations{HasParams: true}
	condition := compiler.CompileCondition([]plugincel.ExpressionAccessor{expression(text)}, options, environment.NewExpressions)
	if len(condition.CompilationErrors()) > 0 {
		return "refused"
	}
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Service"}
	resource := schema.GroupVersionResource{Version: "v1", Resource: "services"}
	object, old := &given.Object, &given.OldObject
	attributes := admission.NewAttributesRecord(object, old, kind, object.GetNamespace(), object.GetName(), resource, "", admission.Update, nil, false, nil)
	versioned := &admission.VersionedAttributes{
		Attributes:         attributes,
		VersionedKind:      kind,
		VersionedObject:    admission.NewLazyObject(object),
		VersionedOldObject: admission.NewLazyObject(old),
	}
	request := &admissionv1.AdmissionRequest{Name: object.GetName(), Namespace: object.GetNamespace(), Operation: admissionv1.Update}
	inputs := plugincel.OptionalVariableBindings{VersionedParams: &unstructured.Unstructured{Object: given.Params}}
	results, _, err := condition.ForInput(context.Background(), versioned, request, inputs, &corev1.Namespace{}, math.MaxInt64)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if results[0].Error != nil {
		return "error"
	}
	value, err := results[0].EvalResult.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		t.Fatalf("%s: %v; let it return what JSON can say", text, err)
	}
	return value.(*structpb.Value).AsInterface()
}

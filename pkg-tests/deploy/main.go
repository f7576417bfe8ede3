// Command deploy renders and lints the Helm chart, and renders the kustomizations, as Helm and kustomize do, parses the
// output as strictly as an API server does, parses queries as Prometheus does, and validates SARIF by its schema.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/prometheus/promql/parser"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"helm.sh/helm/v3/pkg/releaseutil"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	commands := map[string]func([]string) error{"render": render, "lint": lintChart, "kustomize": build, "check": check, "promql": promql, "sarif": validateSarif}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("there are render, lint, kustomize, check, promql and sarif")
	}
	return commands[args[0]](args[1:])
}

// render prints the manifests of a chart, each behind the name of its template. Values are JSON on standard input.
func render(args []string) error {
	flags := flag.NewFlagSet("render", flag.ContinueOnError)
	name := flags.String("release", "slicewise-webhook", "")
	namespace := flags.String("namespace", "slicewise", "")
	service := flags.String("managed-by", "Helm", "")
	kubeconfig := flags.String("kubeconfig", "", "of a server to look objects up in")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chart, err := loader.Load(flags.Arg(0))
	if err != nil {
		return err
	}
	var values map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		return err
	}
	options := chartutil.ReleaseOptions{Name: *name, Namespace: *namespace, Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, options, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	all["Release"].(map[string]any)["Service"] = *service
	rendered := map[string]string{}
	if *kubeconfig == "" {
		rendered, err = engine.Render(chart, all)
	} else {
		config, failed := clientcmd.BuildConfigFromFlags("", *kubeconfig)
		if failed != nil {
			return failed
		}
		rendered, err = engine.RenderWithClient(chart, all, config)
	}
	if err != nil {
		return err
	}
	files := map[string]string{}
	for path, text := range rendered {
		_, path, _ = strings.Cut(path, "/templates/")
		if strings.TrimSpace(text) != "" {
			files[path] = text
		}
	}
	return json.NewEncoder(os.Stdout).Encode(files)
}

// lintChart prints what `helm lint --strict` finds in a chart. Values are JSON on standard input.
func lintChart(args []string) error {
	var values map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		return err
	}
	found := []string{}
	for _, message := range lint.All(args[0], values, "slicewise", true).Messages {
		if message.Severity >= support.WarningSev {
			found = append(found, message.Error())
		}
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// build prints what `kustomize build` prints.
func build(args []string) error {
	options := krusty.MakeDefaultOptions()
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), args[0])
	if err != nil {
		return err
	}
	text, err := resources.AsYaml()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

// check reads manifests on standard input, and refuses unknown kinds, unknown fields and duplicate fields.
func check([]string) error {
	for _, add := range []func() error{
		func() error { return monitoring.AddToScheme(scheme.Scheme) },
		func() error { return certmanager.AddToScheme(scheme.Scheme) },
	} {
		if err := add(); err != nil {
			return err
		}
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	manifests := releaseutil.SplitManifests(string(text))
	keys := make([]string, 0, len(manifests))
	for key := range manifests {
		keys = append(keys, key)
	}
	sort.Sort(releaseutil.BySplitManifestsOrder(keys))
	var mistakes []error
	for _, key := range keys {
		if _, kind, err := decoder.Decode([]byte(manifests[key]), nil, nil); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%v: %w", kind, err))
		}
	}
	fmt.Println(len(keys))
	return errors.Join(mistakes...)
}

// promql reads a list of queries, and prints the names of the metrics of each.
func promql([]string) error {
	var queries []string
	if err := json.NewDecoder(os.Stdin).Decode(&queries); err != nil {
		return err
	}
	reader := parser.NewParser(parser.Options{})
	names := make([][]string, 0, len(queries))
	for _, query := range queries {
		expression, err := reader.ParseExpr(query)
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		found := []string{}
		parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
			if selector, is := node.(*parser.VectorSelector); is {
				found = append(found, selector.Name)
			}
			return nil
		})
		names = append(names, found)
	}
	var output bytes.Buffer
	if err := json.NewEncoder(&output).Encode(names); err != nil {
		return err
	}
	_, err := output.WriteTo(os.Stdout)
	return err
}

// Command cluster runs a Kubernetes API server over an embedded etcd in one process on loopback, and the reference
// EndpointSlice controller on request. There are no kubelets and no other controllers: the caller writes the status
// of nodes and pods.
//
// Its first line on standard output describes the server ([ready]). Then each line on standard input is a
// command, answered with one line of JSON:
//
//	start    starts the reference controller and waits until it has seen everything
//	stop     stops it and waits until it is idle
//	settle   waits until it is idle (see [reference.settle])
//	types    checks the expressions of ValidatingAdmissionPolicies, as kube-controller-manager does
//	restart  ends the API server as if it was killed, and starts it again
//
// It exits, and removes all its files, when standard input is closed or on SIGINT and SIGTERM.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
)

// ready is the first line that is printed.
type ready struct {
	// URL is where the API server listens.
	URL string `json:"url"`
	// Version is the server's own version string.
	Version string `json:"version"`
	// Token is of a member of system:masters.
	Token string `json:"token"`
	// CA is the PEM file of the CA that signed the server's certificate.
	CA string `json:"ca"`
	// Kubeconfig is a file with all of the above for kubectl and others.
	Kubeconfig string `json:"kubeconfig"`
	// Folder holds the files; if this process is killed, the killer has to remove it.
	Folder string `json:"folder"`
	// Seconds is the time from the start of the process until it was ready.
	Seconds float64 `json:"seconds"`
}

func main() {
	withReference := flag.Bool("reference-controller", false, "start the reference EndpointSlice controller")
	var settings settings
	flag.IntVar(&settings.perSlice, "max-endpoints-per-slice", 100, "as kube-controller-manager has it")
	flag.DurationVar(&settings.batch, "endpoint-updates-batch-period", 0, "as kube-controller-manager has it")
	admission := flag.String("admission-control-config-file", "", "as kube-apiserver has it: what it shows to webhooks")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *withReference, *admission, settings); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// run starts everything, executes commands until it is stopped, and stops everything in reverse order.
func run(ctx context.Context, withReference bool, admission string, settings settings) (err error) {
	started := time.Now()
	folder, err := os.MkdirTemp("", "slicewise-cluster-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	etcd, err := startEtcd(filepath.Join(folder, "etcd"))
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	defer etcd.Close()
	server, err := startServer(ctx, folder, etcdURL(etcd), admission)
	if err != nil {
		return fmt.Errorf("the API server: %w", err)
	}
	defer func() { err = errors.Join(err, server.close()) }()
	controller := newReference(server.config(), settings)
	defer controller.stop()
	if withReference {
		if err := controller.start(ctx); err != nil {
			return fmt.Errorf("the reference controller: %w", err)
		}
	}
	out := json.NewEncoder(os.Stdout)
	line := server.ready
	line.Seconds = time.Since(started).Seconds()
	if err := out.Encode(line); err != nil {
		return err
	}
	// Even a waiting command is cancelled if nobody is left to receive the answer.
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	return obey(ctx, lines(os.Stdin, giveUp), server, controller, out)
}

// obey executes commands until the context ends, or the server does.
func obey(ctx context.Context, commands <-chan string, server *server, controller *reference, out *json.Encoder) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-server.running.ended:
			return errors.New("the API server ended by itself")
		case command := <-commands:
			execute := controller.execute
			switch command {
			case "restart":
				execute = func(ctx context.Context, _ string) (any, error) { return server.restart(ctx) }
			case "types":
				execute = func(ctx context.Context, _ string) (any, error) { return checkTypes(ctx, server.config()) }
			}
			answer, err := execute(ctx, command)
			if err != nil {
				answer = map[string]string{"error": err.Error()}
			}
			if err := out.Encode(answer); err != nil {
				return err
			}
		}
	}
}

// lines reads in the background, because a read cannot be interrupted; atEnd is called after the last line.
func lines(from io.Reader, atEnd func()) <-chan string {
	found := make(chan string)
	go func() {
		defer atEnd()
		for scanner := bufio.NewScanner(from); scanner.Scan(); {
			found <- scanner.Text()
		}
	}()
	return found
}

// clientConfig is for clients of the server, without client-side rate limits, because tests want the server's own speed.
func clientConfig(url, token string, authority []byte) *rest.Config {
	return &rest.Config{Host: url, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: authority}, QPS: -1}
}

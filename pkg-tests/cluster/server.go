package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// readyWithin is many times what a start takes on an idle machine.
const readyWithin = 2 * time.Minute

// server is an API server that can be restarted.
type server struct {
	ready     ready
	authority []byte
	files     files
	flags     []string
	running   *life
}

// life is what a server has from one start to its end.
type life struct {
	listener *listener
	cancel   context.CancelFunc
	// ended is closed when the server has exited, after outcome is set.
	ended   chan struct{}
	outcome error
}

// startServer runs an API server with its files in folder, and returns when it is ready. Admission is the configuration
// file of its admission plugins, if any.
func startServer(ctx context.Context, folder, etcd, admission string) (*server, error) {
	files, err := writeFiles(folder)
	if err != nil {
		return nil, err
	}
	s := &server{authority: files.authority, files: files, flags: files.flags(etcd)}
	if admission != "" {
		s.flags = append(s.flags, "--admission-control-config-file="+admission)
	}
	if err := s.start(ctx, "127.0.0.1:0"); err != nil {
		return nil, err
	}
	s.ready.Folder, s.ready.Kubeconfig = folder, filepath.Join(folder, "kubeconfig")
	return s, s.writeKubeconfig()
}

// start runs the server at an address, and returns when it is ready.
func (s *server) start(ctx context.Context, address string) error {
	listening, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	// The listener is passed on, so that no other process can take the port first.
	settings := options.NewServerRunOptions()
	listener := &listener{Listener: listening}
	settings.SecureServing.Listener = listener
	settings.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	// Not the parent's context: whatever uses the server stops before it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	completed, err := complete(ctx, settings, s.flags)
	if err != nil {
		cancel()
		return errors.Join(err, listener.Close())
	}
	s.ready.URL, s.ready.Token, s.ready.CA = "https://"+listener.Addr().String(), s.files.token, s.files.certificate
	running := &life{listener: listener, cancel: cancel, ended: make(chan struct{})}
	s.running = running
	go func() {
		defer close(running.ended)
		// A name is for one server at a time, and the next has it too.
		if completed.InformerName, running.outcome = cache.NewInformerName("kube-apiserver"); running.outcome == nil {
			running.outcome = app.Run(ctx, completed)
			completed.InformerName.Release()
		}
	}()
	if err := s.await(ctx); err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

// restart ends the server and starts it again at the same address, over what is stored.
func (s *server) restart(ctx context.Context) (any, error) {
	started := time.Now()
	if err := s.close(); err != nil {
		return nil, err
	}
	if err := s.start(ctx, s.running.listener.Addr().String()); err != nil {
		return nil, err
	}
	return map[string]float64{"seconds": time.Since(started).Seconds()}, nil
}

// listener knows its connections, so that a server can leave its clients as one that is killed does.
type listener struct {
	net.Listener
	lock sync.Mutex
	open []net.Conn
}

func (l *listener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err == nil {
		l.lock.Lock()
		defer l.lock.Unlock()
		l.open = append(l.open, connection)
	}
	return connection, err
}

// cut closes all connections.
func (l *listener) cut() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, connection := range l.open {
		// Most are closed already.
		_ = connection.Close()
	}
	l.open = nil
}

// complete does what the kube-apiserver command does with its flags.
func complete(ctx context.Context, settings *options.ServerRunOptions, flags []string) (options.CompletedOptions, error) {
	set := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, named := range settings.Flags().FlagSets {
		set.AddFlagSet(named)
	}
	if err := set.Parse(flags); err != nil {
		return options.CompletedOptions{}, err
	}
	if err := settings.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	completed, err := settings.Complete(ctx)
	if err != nil {
		return options.CompletedOptions{}, err
	}
	return completed, utilerrors.NewAggregate(completed.Validate())
}

// await returns when the server reports that it is ready.
func (s *server) await(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(s.config())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		_, err := client.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready after %v: %w", readyWithin, err)
		case <-s.running.ended:
			return errors.New("it ended before it was ready")
		case <-time.After(50 * time.Millisecond):
		}
	}
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	s.ready.Version = version.GitVersion
	return nil
}

// close stops the server and waits for it, but not for its clients: watches would keep it for a minute.
func (s *server) close() error {
	s.running.cancel()
	for {
		s.running.listener.cut()
		select {
		case <-s.running.ended:
			return s.running.outcome
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// config is for clients of this server.
func (s *server) config() *rest.Config {
	return clientConfig(s.ready.URL, s.ready.Token, s.authority)
}

// writeKubeconfig writes the file for kubectl and others.
func (s *server) writeKubeconfig() error {
	file := api.NewConfig()
	file.Clusters["test"] = &api.Cluster{Server: s.ready.URL, CertificateAuthority: s.ready.CA}
	file.AuthInfos["admin"] = &api.AuthInfo{Token: s.ready.Token}
	file.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: "admin"}
	file.CurrentContext = "test"
	return clientcmd.WriteToFile(*file, s.ready.Kubeconfig)
}

// files are the files the server reads.
type files struct {
	authority                         []byte
	token                             string
	certificate, key, tokens, account string
}

// writeFiles generates the credentials of a run.
func writeFiles(folder string) (files, error) {
	within := func(name string) string { return filepath.Join(folder, name) }
	made := files{certificate: within("server.crt"), key: within("server.key"), tokens: within("tokens.csv"), account: within("account.key")}
	made.token = rand.Text()
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"})
	if err != nil {
		return files{}, err
	}
	// A self-signed certificate is its own CA.
	made.authority = certificate
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return files{}, err
	}
	account, err := keyutil.MarshalPrivateKeyToPEM(signer)
	if err != nil {
		return files{}, err
	}
	contents := map[string][]byte{
		made.certificate: certificate,
		made.key:         key,
		made.account:     account,
		made.tokens:      []byte(made.token + ",admin,admin,system:masters\n"),
	}
	for name, content := range contents {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return files{}, err
		}
	}
	return made, nil
}

// flags are an administrator's flags for kube-apiserver. Without their controllers, service accounts have no tokens to
// mount, and no one else reconciles the Service `kubernetes`.
func (f files) flags(etcd string) []string {
	return []string{
		"--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--tls-cert-file=" + f.certificate,
		"--tls-private-key-file=" + f.key,
		"--token-auth-file=" + f.tokens,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + f.account,
		"--service-account-signing-key-file=" + f.account,
		"--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112",
		"--endpoint-reconciler-type=none",
		"--disable-admission-plugins=ServiceAccount",
	}
}

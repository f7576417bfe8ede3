// Package slicewise plans Kubernetes EndpointSlices, explains them and reviews
// changes to them, with the decisions of the command and the npm package. It
// runs slicewise.wasm on wazero: without cgo, and without anything to install.
//
// A [Module] is compiled once and safe for concurrent use; its calls run on a
// pool of instances. [Module.Plan], [Module.PlanSnapshot] and [Module.Explain]
// take the types of k8s.io/api; [Module.Call] takes JSON, and knows every
// function of docs/abi.md. A [Reviewer] holds what is known about a cluster,
// and answers admission reviews.
package slicewise

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
)

// abiVersion is the contract that this package is written for.
const abiVersion = 1

// largeMemoryPages is the memory, in pages of 64 KiB, above which an instance
// is not used again: memory of WebAssembly never shrinks.
const largeMemoryPages = 1024

//go:embed slicewise.wasm
var embedded []byte

// ErrClosed is returned by calls of a Module or Reviewer that was closed.
var ErrClosed = errors.New("slicewise: closed")

type settings struct {
	memoryLimitPages uint32
	maxInstances     int
	cache            wazero.CompilationCache
}

// An Option changes how a [Module] runs.
type Option func(*settings)

// WithMemoryLimitPages limits the memory of each instance, in pages of 64 KiB.
// The default is 65536 pages, all that WebAssembly can address. A call that
// needs more ends with a [TrapError].
func WithMemoryLimitPages(pages uint32) Option {
	return func(s *settings) { s.memoryLimitPages = pages }
}

// WithMaxInstances limits how many calls run at once; others wait. The default
// is GOMAXPROCS. Reviewers have an instance of their own and do not count.
func WithMaxInstances(most int) Option {
	return func(s *settings) { s.maxInstances = most }
}

// WithCompilationCache shares or keeps what wazero compiles: with a cache in a
// directory, a program starts faster the second time.
func WithCompilationCache(cache wazero.CompilationCache) Option {
	return func(s *settings) { s.cache = cache }
}

// Module is slicewise.wasm, compiled.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	slots    chan struct{}

	mu     sync.Mutex
	idle   []*instance
	closed bool
}

// New compiles the module that this package embeds.
func New(ctx context.Context, options ...Option) (*Module, error) {
	return NewFromBytes(ctx, embedded, options...)
}

// NewFromBytes compiles a module that the caller loads, such as a newer one.
func NewFromBytes(ctx context.Context, wasm []byte, options ...Option) (*Module, error) {
	s := settings{maxInstances: runtime.GOMAXPROCS(0)}
	for _, option := range options {
		option(&s)
	}
	if s.maxInstances < 1 {
		return nil, fmt.Errorf("slicewise: WithMaxInstances(%d): at least 1 is needed", s.maxInstances)
	}
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true)
	if s.memoryLimitPages > 0 {
		config = config.WithMemoryLimitPages(s.memoryLimitPages)
	}
	if s.cache != nil {
		config = config.WithCompilationCache(s.cache)
	}
	m := &Module{
		runtime: wazero.NewRuntimeWithConfig(ctx, config),
		slots:   make(chan struct{}, s.maxInstances),
	}
	if err := m.compile(ctx, wasm); err != nil {
		return nil, errors.Join(err, m.runtime.Close(ctx))
	}
	return m, nil
}

// compile also starts an instance, so that a module of another contract is an
// error now rather than in the first call.
func (m *Module) compile(ctx context.Context, wasm []byte) error {
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
		return fmt.Errorf("slicewise: compile the module: %w", err)
	}
	first, err := m.start(ctx)
	if err != nil {
		return err
	}
	m.idle = append(m.idle, first)
	return nil
}

// Close ends all instances, also those of reviewers.
func (m *Module) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed, m.idle = true, nil
	m.mu.Unlock()
	return m.runtime.Close(ctx)
}

// Call calls a function of docs/abi.md by its name: JSON in, JSON out. Bad
// input is an [*Error].
//
// When ctx is done, the call is interrupted and its error is that of ctx.
func (m *Module) Call(ctx context.Context, function string, input []byte) ([]byte, error) {
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	i, err := m.take(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := i.call(ctx, function, input)
	m.put(ctx, i)
	return answer, err
}

// take returns an idle instance, or starts one.
func (m *Module) take(ctx context.Context) (*instance, error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, ErrClosed
	}
	if last := len(m.idle) - 1; last >= 0 {
		i := m.idle[last]
		m.idle = m.idle[:last]
		m.mu.Unlock()
		return i, nil
	}
	m.mu.Unlock()
	return m.start(ctx)
}

// put keeps an instance for the next call, unless it is broken or large.
func (m *Module) put(ctx context.Context, i *instance) {
	if !i.broken && i.memory.Size()>>16 <= largeMemoryPages {
		m.mu.Lock()
		if !m.closed {
			m.idle = append(m.idle, i)
			m.mu.Unlock()
			return
		}
		m.mu.Unlock()
	}
	i.close(ctx)
}

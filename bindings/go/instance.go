package slicewise

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// instance is a running module. One call at a time.
type instance struct {
	module api.Module
	memory api.Memory
	alloc  api.Function
	free   api.Function
	invoke api.Function
	// broken is set after a trap or an interruption: what the memory holds is
	// unknown, and the instance is not used again.
	broken bool
}

// start begins an instance.
func (m *Module) start(ctx context.Context) (*instance, error) {
	// Without a name, many of one module can be in a runtime.
	module, err := m.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("slicewise: start the module: %w", err)
	}
	i := &instance{
		module: module,
		memory: module.Memory(),
		alloc:  module.ExportedFunction("alloc"),
		free:   module.ExportedFunction("free"),
		invoke: module.ExportedFunction("call"),
	}
	if err := i.check(ctx); err != nil {
		i.close(ctx)
		return nil, err
	}
	return i, nil
}

func (i *instance) check(ctx context.Context) error {
	version := i.module.ExportedFunction("abi_version")
	if i.memory == nil || i.alloc == nil || i.free == nil || i.invoke == nil || version == nil {
		return fmt.Errorf("slicewise: this is not slicewise.wasm: it lacks an export of docs/abi.md")
	}
	found, err := version.Call(ctx)
	if err != nil {
		return fmt.Errorf("slicewise: ask for the version of the contract: %w", err)
	}
	if found[0] != abiVersion {
		return fmt.Errorf("slicewise: the module has version %d of the contract, and this package needs %d", found[0], abiVersion)
	}
	return nil
}

func (i *instance) close(ctx context.Context) {
	i.broken = true
	// It has no files or listeners, so nothing can fail.
	_ = i.module.Close(ctx)
}

// call calls a function. The answer is a copy.
func (i *instance) call(ctx context.Context, function string, input []byte) ([]byte, error) {
	answer, err := i.try(ctx, function, input)
	if err != nil {
		i.broken = true
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, &TrapError{Function: function, MemoryBytes: i.memory.Size(), cause: err}
	}
	// Of a failure too, for callers that pass it on as it is.
	return answer, failure(answer)
}

func (i *instance) try(ctx context.Context, function string, input []byte) ([]byte, error) {
	// Buffers are quick, and watching the context costs more than they do.
	quick := context.WithoutCancel(ctx)
	name, err := i.put(quick, []byte(function))
	if err != nil {
		return nil, err
	}
	given, err := i.put(quick, input)
	if err != nil {
		return nil, err
	}
	packed, err := i.invoke.Call(ctx, name, uint64(len(function)), given, uint64(len(input)))
	if err != nil {
		return nil, err
	}
	pointer, length := packed[0]>>32, uint32(packed[0])
	view, ok := i.memory.Read(uint32(pointer), length)
	if !ok {
		return nil, fmt.Errorf("the answer is outside of the memory: %d bytes at %d", length, pointer)
	}
	answer := append([]byte(nil), view...)
	for _, buffer := range []uint64{name, given, pointer} {
		if _, err := i.free.Call(quick, buffer); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// put copies bytes into a new buffer of the module.
func (i *instance) put(ctx context.Context, bytes []byte) (uint64, error) {
	if uint64(len(bytes)) > maxBuffer {
		return 0, fmt.Errorf("%d bytes are more than a module can address", len(bytes))
	}
	pointer, err := i.alloc.Call(ctx, uint64(len(bytes)))
	if err != nil {
		return 0, err
	}
	if pointer[0] == 0 {
		return 0, fmt.Errorf("there is no memory for %d bytes", len(bytes))
	}
	if !i.memory.Write(uint32(pointer[0]), bytes) {
		return 0, fmt.Errorf("a buffer of %d bytes is outside of the memory", len(bytes))
	}
	return pointer[0], nil
}

const maxBuffer = 1<<32 - 1

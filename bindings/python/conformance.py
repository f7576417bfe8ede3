"""slicewise.wasm on wasmtime: an example of a host, which replays the calls that every binding must answer alike.

    pip install --requirement requirements.txt
    python conformance.py ../../pkg/abi/slicewise.wasm ../conformance.json
"""

import json
import sys

from wasmtime import Engine, Instance, Memory, Module, Store


class SlicewiseError(Exception):
    """Bad input: ``code``, ``message``, and where known ``path``, ``line`` and ``column``."""

    def __init__(self, details):
        super().__init__(details["message"])
        self.details = details


class Slicewise:
    """An instance of the module. After any other exception than SlicewiseError, discard it."""

    ABI_VERSION = 1

    def __init__(self, engine, module):
        self._store = Store(engine)
        # The module imports nothing.
        self._exports = Instance(self._store, module, []).exports(self._store)
        version = self._exports["abi_version"](self._store)
        if version != self.ABI_VERSION:
            raise RuntimeError(f"the module has version {version} of the contract, not {self.ABI_VERSION}")

    def call(self, function, given):
        """Calls a function of docs/abi.md with the bytes of its input; returns the bytes of its answer."""
        name = function.encode()
        buffers = [self._put(name), self._put(given)]
        packed = self._exports["call"](self._store, buffers[0], len(name), buffers[1], len(given))
        # wasmtime gives an i64 as a signed number.
        pointer, length = (packed >> 32) & 0xFFFFFFFF, packed & 0xFFFFFFFF
        memory: Memory = self._exports["memory"]
        answer = bytes(memory.read(self._store, pointer, pointer + length))
        for buffer in [*buffers, pointer]:
            self._exports["free"](self._store, buffer)
        return answer

    def ask(self, function, value):
        """The same with values; raises SlicewiseError for bad input."""
        answer = self.call(function, json.dumps(value).encode())
        if answer.startswith(b'{"error":'):
            raise SlicewiseError(json.loads(answer)["error"])
        return json.loads(answer)

    def _put(self, data):
        pointer = self._exports["alloc"](self._store, len(data)) & 0xFFFFFFFF
        if pointer == 0:
            raise MemoryError(f"the module has no memory for {len(data)} bytes")
        self._exports["memory"].write(self._store, data, pointer)
        return pointer


def main(module_file, cases_file):
    engine = Engine()
    module = Module.from_file(engine, module_file)
    with open(cases_file, encoding="utf-8") as file:
        cases = json.load(file)
    calls = 0
    for case in cases:
        slicewise = Slicewise(engine, module)
        for call in case["calls"]:
            answer = slicewise.call(call["function"], call["input"].encode()).decode()
            if answer != call["answer"]:
                sys.exit(f"{case['name']}: {call['function']}({call['input']})\n  is      {answer}\n  and not {call['answer']}")
            calls += 1
    try:
        slicewise.ask("plan", {"service": 7})
    except SlicewiseError as error:
        if error.details["path"] != "/service":
            sys.exit(f"the error has another path: {error.details}")
    else:
        sys.exit("a Service that is a number was planned")
    if calls == 0:
        sys.exit(f"there are no calls in {cases_file}")
    print(f"{calls} calls in {len(cases)} cases have the same answers")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

package migration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

var (
	binary = flag.String("slicewise", "", "the slicewise binary")
	seed   = flag.Uint64("seed", 1, "of the random cases")
	cases  = flag.Int("cases", 1500, "how many sequences of each kind")
	only   = flag.Int("case", -1, "one sequence alone, verbosely")
)

func TestMain(m *testing.M) {
	// The reference rate-limits errors with a clock that all bubbles share.
	utilruntime.ErrorHandlers = nil
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	flag.Parse()
	os.Exit(m.Run())
}

// each runs a test for every sequence with its own random source.
func each(t *testing.T, stream uint64, run func(number int, random *rand.Rand)) {
	if *only >= 0 {
		run(*only, rand.New(rand.NewPCG(*seed+stream<<32, uint64(*only))))
		return
	}
	for number := 0; number < *cases && !t.Failed(); number++ {
		run(number, rand.New(rand.NewPCG(*seed+stream<<32, uint64(number))))
	}
}

// planner is a running `slicewise COMMAND --ndjson`.
type planner struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	// A request was meant to be refused, so the command exits with a code.
	mayFail bool
}

func start(t *testing.T, command string) *planner {
	if *binary == "" {
		t.Fatal("-slicewise must name the binary")
	}
	process := exec.Command(*binary, command, "--ndjson")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	planner := &planner{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	t.Cleanup(func() {
		in.Close()
		if err := process.Wait(); err != nil && !planner.mayFail {
			t.Error(err)
		}
	})
	return planner
}

// ask sends one request, and decodes the answer into a plan; a refused request
// is a bug in the test.
func (p *planner) ask(request []byte, plan any) []byte {
	if _, err := p.in.Write(append(bytes.Clone(request), '\n')); err != nil {
		p.t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	if bytes.HasPrefix(line, []byte(`{"error":{`)) {
		p.t.Fatalf("refused: %s\n%s", line, request)
	}
	if err := json.Unmarshal(line, plan); err != nil {
		p.t.Fatalf("%v: %s", err, line)
	}
	return line
}

// refuses reports whether a request is bad.
func (p *planner) refuses(request []byte) bool {
	if _, err := p.in.Write(append(bytes.Clone(request), '\n')); err != nil {
		p.t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	p.mayFail = true
	return bytes.HasPrefix(line, []byte(`{"error":{`))
}

func parse(text string) net.IP { return net.ParseIP(text) }

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// chance is true with this probability in percent.
func chance(random *rand.Rand, percent int) bool {
	return random.IntN(100) < percent
}

func pick[T any](random *rand.Rand, from ...T) T {
	return from[random.IntN(len(from))]
}

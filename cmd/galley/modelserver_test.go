package main

import (
	"bytes"
	"context"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// storyServers are the model servers of one story.
type storyServers struct {
	started []*openaitest.Server
	llama   *llamaServer
}

type storyServersKey struct{}

// setUpModelServers lets a story start model servers, and fails it in the end if one of them objects to what it was asked.
func setUpModelServers(env *testscript.Env) {
	servers := &storyServers{}
	env.Values[storyServersKey{}] = servers
	env.Defer(func() {
		for _, server := range servers.started {
			server.Close()
			if len(server.Problems()) > 0 {
				env.T().Fatal("the model server objects to what it was asked:\n" + server.Dump())
			}
		}
	})
}

// modelServer FILE plays a script of replies (see agent/openai/openaitest) until the story is over, and puts its base URL
// into MODEL_URL.
func modelServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: modelserver file")
	}
	script, err := openaitest.Parse(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	server, err := openaitest.Start(script)
	ts.Check(err)
	servers := ts.Value(storyServersKey{}).(*storyServers)
	servers.started = append(servers.started, server)
	ts.Setenv("MODEL_URL", server.URL())
}

// modelRequests FILE writes the bodies that the last server got so far, one a line.
func modelRequests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: modelrequests file")
	}
	var bodies bytes.Buffer
	for _, request := range lastModelServer(ts).Requests() {
		bodies.Write(append(bytes.ReplaceAll(request.Body, []byte("\n"), []byte(" ")), '\n'))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bodies.Bytes(), 0o600))
}

// modelHeld waits until the last server holds an answer back, as its script says.
func modelHeld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: modelheld")
	}
	ts.Check(awaitHeld(ts))
}

func awaitHeld(ts *testscript.TestScript) error {
	const patience = 20 * time.Second // generous, as nothing should ever need it
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	held := func(s openaitest.State) bool { return s.Held > 0 }
	return lastModelServer(ts).Await(ctx, "an answer is held", held)
}

// modelRelease lets the answer go on that the last server holds, or will hold next.
func modelRelease(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: modelrelease")
	}
	lastModelServer(ts).Release()
}

func lastModelServer(ts *testscript.TestScript) *openaitest.Server {
	started := ts.Value(storyServersKey{}).(*storyServers).started
	if len(started) == 0 {
		ts.Fatalf("there is no model server: modelserver comes first")
	}
	return started[len(started)-1]
}

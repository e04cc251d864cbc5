package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	reflector "github.com/invopop/jsonschema"

	"github.com/galley-ls/galley/agent/session"
)

// Tool is one line of the table.
type Tool struct {
	Name     string
	Doc      string          // what the model reads
	Schema   json.RawMessage // of the arguments
	ReadOnly bool            // changes nothing, so it may run beside others

	// run checks the arguments, as the model wrote them, and makes the call.
	run   func(ctx context.Context, s *session.Session, by session.By, arguments string) Outcome
	check checker
}

// define makes the tool that passes arguments of type A to a call. The schema is that of A, so the two cannot differ.
func define[A any](name, doc string, call func(context.Context, *session.Session, session.By, A) Outcome) Tool {
	schema, check := schemaOf(name, new(A))
	return Tool{
		Name: name, Doc: strings.TrimSpace(doc), Schema: schema, check: check,
		run: func(ctx context.Context, s *session.Session, by session.By, arguments string) Outcome {
			args := new(A)
			if hint := check.decode(arguments, args); hint != "" {
				return Refused(CodeBadArguments, hint)
			}
			return call(ctx, s, by, *args)
		},
	}
}

func (t Tool) readOnly() Tool {
	t.ReadOnly = true
	return t
}

// checker checks the arguments of one tool, each by itself, so that all that is wrong can be told.
type checker struct {
	tool      string
	names     []string // of the arguments, in their order
	required  []string
	arguments func() map[string]*argument // made when the tool is first called: a start lists the tools, but calls few
}

// argument is the schema of one argument.
type argument struct {
	*jsonschema.Schema
	*jsonschema.Resolved
	items *argument // of a list
}

// schemaOf makes the schema of a struct of arguments. What can fail here depends on the program alone, and the tests
// make and call every tool: so it panics.
func schemaOf(tool string, args any) (json.RawMessage, checker) {
	r := &reflector.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	made := r.Reflect(args)
	made.Version = "" // the model need not read it
	c := checker{tool: tool, required: made.Required}
	for name := range made.Properties.KeysFromOldest() {
		c.names = append(c.names, name)
	}
	raw, err := json.Marshal(made)
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", tool, err))
	}
	c.arguments = sync.OnceValue(func() map[string]*argument {
		var s jsonschema.Schema
		if err := json.Unmarshal(raw, &s); err != nil {
			panic(fmt.Sprintf("schema of %s: %v", tool, err))
		}
		all := map[string]*argument{}
		for name, of := range s.Properties {
			all[name] = argumentOf(of)
		}
		return all
	})
	return raw, c
}

func argumentOf(s *jsonschema.Schema) *argument {
	if s == nil {
		return nil
	}
	r, err := s.Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("the schema of an argument: %v", err))
	}
	return &argument{Schema: s, Resolved: r, items: argumentOf(s.Items)}
}

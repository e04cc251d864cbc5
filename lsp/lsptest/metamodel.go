package lsptest

import (
	_ "embed" // the models
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed testdata/metaModel.json
var metaModel []byte

//go:embed testdata/galley.json
var galleyModel []byte

// typ is a type of the meta-model's grammar.
type typ struct {
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Element *typ            `json:"element"`
	Items   []typ           `json:"items"`
	Value   json.RawMessage `json:"value"` // a type for maps, a structure or a constant for literals
}

type property struct {
	Name     string `json:"name"`
	Type     typ    `json:"type"`
	Optional bool   `json:"optional"`
}

type structure struct {
	Name       string     `json:"name"`
	Properties []property `json:"properties"`
	Extends    []typ      `json:"extends"`
	Mixins     []typ      `json:"mixins"`
}

type enumeration struct {
	Name   string `json:"name"`
	Type   typ    `json:"type"`
	Values []struct {
		Value json.RawMessage `json:"value"`
	} `json:"values"`
	Custom bool `json:"supportsCustomValues"`
}

// method is a request or a notification.
type method struct {
	Method       string `json:"method"`
	Params       *typ   `json:"params"`
	Result       *typ   `json:"result"`
	Registration *typ   `json:"registrationOptions"`
	Direction    string `json:"messageDirection"`
	Client       string `json:"clientCapability"`
}

// model is the meta-model with ours added.
type model struct {
	requests, notifications map[string]method
	structures              map[string]structure
	enumerations            map[string]enumeration
	aliases                 map[string]typ
}

// theModel is read once: it is a table.
var theModel = sync.OnceValue(func() *model {
	m := &model{
		map[string]method{}, map[string]method{}, map[string]structure{}, map[string]enumeration{}, map[string]typ{},
	}
	m.add(metaModel)
	m.add(galleyModel)
	return m
})

func (m *model) add(data []byte) {
	var raw struct {
		Requests      []method      `json:"requests"`
		Notifications []method      `json:"notifications"`
		Structures    []structure   `json:"structures"`
		Enumerations  []enumeration `json:"enumerations"`
		Aliases       []struct {
			Name string `json:"name"`
			Type typ    `json:"type"`
		} `json:"typeAliases"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		panic(fmt.Sprintf("lsptest: read meta-model: %v", err))
	}
	for _, r := range raw.Requests {
		m.requests[r.Method] = r
	}
	for _, n := range raw.Notifications {
		m.notifications[n.Method] = n
	}
	for _, s := range raw.Structures {
		m.structures[s.Name] = s
	}
	for _, e := range raw.Enumerations {
		m.enumerations[e.Name] = e
	}
	for _, a := range raw.Aliases {
		m.aliases[a.Name] = a.Type
	}
}

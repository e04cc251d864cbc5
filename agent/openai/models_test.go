package openai

import (
	"strings"
	"testing"
	"testing/synctest"
)

func TestModels(t *testing.T) {
	for body, want := range map[string]string{
		`{"object":"list","data":[{"id":"b","created":"x"},{"id":"a"},{"id":"a"}]}`: "a b",
		`{"models":[{"name":"a"},{"model":"b"}]}`:                                   "a b",
		`["a","b"]`:     "a b",
		`[]`:            "",
		`{"data":[]}`:   "",
		`{"data":null}`: "",
	} {
		m, w := testModel(t, Config{}, answer{body: body})
		names, err := m.Models(t.Context())
		if err != nil || strings.Join(names, " ") != want || w.requests()[0].header.Get("Authorization") != "Bearer "+testKey || w.requests()[0].url != "http://model.test/v1/models" {
			t.Errorf("%s: got %q, %v", body, names, err)
		}
	}
	for body, want := range map[string]Kind{
		"<html>": KindNotOpenAI, `{"ok":1}`: KindNotOpenAI, "hello": KindNotOpenAI, `{"error":{"message":"x","code":401}}`: KindAuth, "": KindNotOpenAI,
	} {
		m, w := testModel(t, Config{}, answer{body: body})
		if _, err := m.Models(t.Context()); kindOf(err) != want || len(w.requests()) != 1 {
			t.Errorf("%s: got %v with %d requests", body, err, len(w.requests()))
		}
	}
	m, w := testModel(t, Config{BaseURL: "https://x.openai.azure.com"}, answer{body: "[]"})
	if _, err := m.Models(t.Context()); err != nil || w.requests()[0].url != "https://x.openai.azure.com/openai/models?api-version=2024-10-21" || w.requests()[0].header.Get("api-key") != testKey {
		t.Errorf("got %v of %s", err, w.requests()[0].url)
	}
	synctest.Test(t, func(t *testing.T) {
		m, _ := testModel(t, Config{}, answer{tail: errHang})
		if _, err := m.Models(t.Context()); kindOf(err) != KindTimeout {
			t.Errorf("got %v", err)
		}
	})
}

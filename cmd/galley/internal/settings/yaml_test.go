package settings

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"
)

// anyJSON generates what JSON can say, with texts that YAML reads otherwise when they are not quoted.
func anyJSON(depth int) *rapid.Generator[any] {
	odd := rapid.SampledFrom([]any{
		"a: b", "- x", "#", "'", `"`, `\`, "null", "~", "true", "1", "0x1", "1e3", ", ", "\n", "\t", "<&>", "\u2028", "\u0085", "\ufeff",
		"&a", "*a", "!t", "|", ">", "%", "@", "<<", "😀", 1e3, 1e-7, 1.5, -0.25, 1e300,
	})
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(), odd,
		rapid.Map(rapid.IntRange(-100, 100_000), func(i int) any { return float64(i) }),
	}
	if depth > 0 {
		names := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "<<", "?", "-", "a: b", "null", "true", "1"}))
		kinds = append(kinds, rapid.SliceOfN(anyJSON(depth-1), 0, 3).AsAny(), rapid.MapOfN(names, anyJSON(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(kinds...)
}

// Files of JSON, editors and variables are read by the YAML library, and mean what they mean in JSON.
func TestJSONIsReadAsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyJSON(3).Draw(t, "value")
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		n, err := parseJSON(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		var got, wanted any
		if err := yaml.NodeToValue(n, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		read := jsonText(got)
		if json.Unmarshal([]byte(read), &got) != nil || json.Unmarshal(data, &wanted) != nil || !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s is read as %s", data, read)
		}
	})
}

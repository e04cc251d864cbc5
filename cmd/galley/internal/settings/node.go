package settings

import (
	"slices"
	"strings"
)

// node is a value as it was written, with its line. The value is nil, bool, string, int64, float64, []node or []entry.
type node struct {
	line  int
	value any
}

// entry is one key of an object.
type entry struct {
	key  string
	line int
	node node
}

// plain is a node without its lines, as JSON has it.
func (n node) plain() any {
	switch v := n.value.(type) {
	case []node:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = item.plain()
		}
		return out
	case []entry:
		out := make(map[string]any, len(v))
		for _, e := range v {
			out[e.key] = e.node.plain()
		}
		return out
	}
	return n.value
}

// nodeOf is a node of what JSON or an editor says. Objects have their keys in order.
func nodeOf(v any, line int) node {
	switch v := v.(type) {
	case []any:
		out := make([]node, len(v))
		for i, item := range v {
			out[i] = nodeOf(item, line)
		}
		return node{line, out}
	case map[string]any:
		var out []entry
		for key, item := range v {
			out = append(out, entry{key, line, nodeOf(item, line)})
		}
		slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		return node{line, out}
	case float64:
		if whole := int64(v); float64(whole) == v {
			return node{line, whole}
		}
	case int:
		return node{line, int64(v)}
	}
	return node{line, v}
}

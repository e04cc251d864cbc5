package lsptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// misfit is where and why a value is not of its type.
type misfit struct {
	path, why string
}

func (m *misfit) String() string { return m.path + ": " + m.why }

func wrong(path, format string, args ...any) *misfit {
	return &misfit{path, fmt.Sprintf(format, args...)}
}

// fits checks a decoded value (numbers as json.Number) against a type. A property that the model does not know is a
// misfit too: it is a misspelt one more often than an extension.
func (m *model) fits(path string, t typ, v any) *misfit {
	switch t.Kind {
	case "base":
		return fitsBase(path, t.Name, v)
	case "reference":
		return m.fitsNamed(path, t.Name, v)
	case "array":
		return m.fitsArray(path, t, v)
	case "map":
		return m.fitsMap(path, t, v)
	case "or":
		return m.fitsOr(path, t, v)
	case "tuple":
		return m.fitsTuple(path, t, v)
	case "and":
		return m.fitsObject(path, m.merged(t.Items), v)
	case "literal":
		var s structure
		if err := json.Unmarshal(t.Value, &s); err != nil {
			return wrong(path, "meta-model: %v", err)
		}
		return m.fitsObject(path, m.properties(s), v)
	case "stringLiteral":
		if want, _ := strconv.Unquote(string(t.Value)); want != v {
			return wrong(path, "is %v, want %q", v, want)
		}
		return nil
	}
	return wrong(path, "meta-model: unknown kind %q", t.Kind)
}

func fitsBase(path, name string, v any) *misfit {
	ok := false
	switch name {
	case "string", "URI", "DocumentUri", "RegExp":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "null":
		ok = v == nil
	case "decimal":
		_, ok = v.(json.Number)
	case "integer", "uinteger":
		n, isNumber := v.(json.Number)
		i, err := strconv.ParseInt(string(n), 10, 32)
		ok = isNumber && err == nil && (name == "integer" || i >= 0)
	}
	if !ok {
		return wrong(path, "is %v (%T), want %s", v, v, name)
	}
	return nil
}

func (m *model) fitsNamed(path, name string, v any) *misfit {
	if name == "LSPAny" || name == "LSPObject" || name == "LSPArray" {
		return nil
	}
	if t, ok := m.aliases[name]; ok {
		return m.fits(path, t, v)
	}
	if e, ok := m.enumerations[name]; ok {
		return m.fitsEnumeration(path, e, v)
	}
	s, ok := m.structures[name]
	if !ok {
		return wrong(path, "meta-model: unknown name %s", name)
	}
	return m.fitsObject(path, m.properties(s), v)
}

func (m *model) fitsEnumeration(path string, e enumeration, v any) *misfit {
	if bad := m.fits(path, e.Type, v); bad != nil || e.Custom {
		return bad
	}
	for _, value := range e.Values {
		if s, err := strconv.Unquote(string(value.Value)); err == nil && s == v {
			return nil
		}
		if n, ok := v.(json.Number); ok && string(n) == string(value.Value) {
			return nil
		}
	}
	return wrong(path, "%v is no %s", v, e.Name)
}

func (m *model) fitsArray(path string, t typ, v any) *misfit {
	list, ok := v.([]any)
	if !ok {
		return wrong(path, "is %v, want an array", v)
	}
	for i, item := range list {
		if bad := m.fits(fmt.Sprintf("%s[%d]", path, i), *t.Element, item); bad != nil {
			return bad
		}
	}
	return nil
}

func (m *model) fitsTuple(path string, t typ, v any) *misfit {
	list, ok := v.([]any)
	if !ok || len(list) != len(t.Items) {
		return wrong(path, "is %v, want an array of %d", v, len(t.Items))
	}
	for i, item := range list {
		if bad := m.fits(fmt.Sprintf("%s[%d]", path, i), t.Items[i], item); bad != nil {
			return bad
		}
	}
	return nil
}

func (m *model) fitsMap(path string, t typ, v any) *misfit {
	object, ok := v.(map[string]any)
	if !ok {
		return wrong(path, "is %v, want an object", v)
	}
	var value typ
	if err := json.Unmarshal(t.Value, &value); err != nil {
		return wrong(path, "meta-model: %v", err)
	}
	for _, k := range sortedKeys(object) {
		if bad := m.fits(path+"."+k, value, object[k]); bad != nil {
			return bad
		}
	}
	return nil
}

// fitsOr tells the misfit of the alternative that went deepest: the one that was meant.
func (m *model) fitsOr(path string, t typ, v any) *misfit {
	var deepest *misfit
	for _, item := range t.Items {
		bad := m.fits(path, item, v)
		if bad == nil {
			return nil
		}
		if deepest == nil || len(bad.path) > len(deepest.path) {
			deepest = bad
		}
	}
	return deepest
}

func (m *model) fitsObject(path string, properties map[string]property, v any) *misfit {
	object, ok := v.(map[string]any)
	if !ok {
		return wrong(path, "is %v, want an object", v)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name]
		value, there := object[name]
		if !there {
			if !p.Optional {
				return wrong(path+"."+name, "is missing")
			}
			continue
		}
		if bad := m.fits(path+"."+name, p.Type, value); bad != nil {
			return bad
		}
	}
	for _, name := range sortedKeys(object) {
		if _, known := properties[name]; !known {
			return wrong(path+"."+name, "is not in the protocol")
		}
	}
	return nil
}

// properties are those of a structure and of all that it is made of.
func (m *model) properties(s structure) map[string]property {
	all := m.merged(slices.Concat(s.Extends, s.Mixins))
	for _, p := range s.Properties {
		all[p.Name] = p
	}
	return all
}

func (m *model) merged(types []typ) map[string]property {
	all := map[string]property{}
	for _, t := range types {
		maps.Copy(all, m.properties(m.structures[t.Name]))
	}
	return all
}

package settings

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Value is what a setting is, nil if it is not set at all.
func (r Row) Value(s Settings) any {
	if r.field == nil {
		return s.Model.Profile[r.Key()] // nil where it is not set
	}
	switch p := r.field(&s).(type) {
	case *string:
		return *p
	case *bool:
		return *p
	case *int:
		return *p
	case *float64:
		return *p
	case **float64:
		if *p == nil {
			return nil
		}
		return **p
	case *time.Duration:
		return *p
	case *[]string:
		return slices.Clone(*p)
	}
	panic(fmt.Sprintf("the table's row %s points to what no setting can be", r.Name))
}

// set gives a setting a value of its kind.
func (r Row) set(s *Settings, v any) {
	if r.field == nil {
		s.Model.Profile = maps.Clone(s.Model.Profile)
		if s.Model.Profile == nil {
			s.Model.Profile = map[string]any{}
		}
		s.Model.Profile[r.Key()] = v
		return
	}
	ok := true
	switch p := r.field(s).(type) {
	case *string:
		*p, ok = v.(string)
	case *bool:
		*p, ok = v.(bool)
	case *int:
		*p, ok = v.(int)
	case *float64:
		*p, ok = v.(float64)
	case **float64:
		f, isNumber := v.(float64)
		*p, ok = &f, isNumber
	case *time.Duration:
		*p, ok = v.(time.Duration)
	case *[]string:
		*p, ok = v.([]string)
	default:
		ok = false
	}
	if !ok {
		panic(fmt.Sprintf("the table's row %s was given a %T", r.Name, v))
	}
}

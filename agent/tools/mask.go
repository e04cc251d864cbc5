package tools

import "reflect"

// Masked is a value of the same type without secrets, such as an answer or an event. It is made anew from its texts and
// numbers, each text masked: a part of another kind would not be let out.
func Masked[T any](v T, mask func(string) string) T {
	out := reflect.New(reflect.TypeOf(v)).Elem()
	copyMasked(out, reflect.ValueOf(v), mask)
	return out.Interface().(T)
}

func copyMasked(to, from reflect.Value, mask func(string) string) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(mask(from.String()))
	case reflect.Bool, reflect.Int:
		to.Set(from)
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyMasked(to.Elem(), from.Elem(), mask)
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				copyMasked(to.Index(i), from.Index(i), mask)
			}
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if to.Field(i).CanSet() {
				copyMasked(to.Field(i), from.Field(i), mask)
			}
		}
	}
}

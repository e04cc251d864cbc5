package match

// Placeholder returns the first line of new, the text of a whole file, that stands
// for text of old which was left out; "" if there is none.
func Placeholder(old, new string) string { return placeholder(old, new) }

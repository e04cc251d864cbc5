package match

import "strings"

// escaped takes one level of backslash escapes off. What old_text shows decides
// how much of new_text may be read so: `\n` becomes a line ending only if it did
// in old_text, or if old_text writes a backslash itself as two.
func escaped(old, new string) cleaned {
	plainOld, seen := unescape(old)
	if seen == "" {
		return cleaned{}
	}
	plainNew, used := unescape(new)
	if used != "" && !consistent(old, new, seen, used) {
		return cleaned{}
	}
	return cleaned{Escapes, plainOld, plainNew}
}

// unescape answers also which escapes there were.
func unescape(s string) (plain, seen string) {
	var sb strings.Builder
	var kinds strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if k := strings.IndexByte(escapeKinds, s[i+1]); k >= 0 {
				i++
				sb.WriteByte(escapeMeans[k])
				if strings.IndexByte(kinds.String(), s[i]) < 0 {
					kinds.WriteByte(s[i])
				}
				continue
			}
		}
		sb.WriteByte(s[i])
	}
	return unixEndings(sb.String()), kinds.String()
}

const (
	escapeKinds = "ntr\"'`\\/$"
	escapeMeans = "\n\t\r\"'`\\/$"
)

// consistent says whether new_text is escaped as old_text is: what stands only
// escaped in old_text never stands plain, what stands plain there is never
// escaped, and no white space is escaped that old_text gives no reason to read as
// such.
func consistent(old, new, seen, used string) bool {
	space := strings.ContainsAny(seen, "ntr\\")
	for i := range escapeKinds {
		kind, plain := escapeKinds[i:i+1], escapeMeans[i:i+1]
		inOld, inNew := strings.Contains(seen, kind), strings.Contains(used, kind)
		switch {
		case plain == `\`:
		case inOld && !bare(old, plain) && bare(new, plain),
			inNew && !inOld && bare(old, plain),
			inNew && strings.Contains("ntr", kind) && !space:
			return false
		}
	}
	return true
}

// bare says whether a character stands in s without a backslash before it.
func bare(s, plain string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == plain[0] {
			return true
		}
	}
	return false
}

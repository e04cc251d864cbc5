package editing

import "fmt"

func dump(d *Document, c *Change) string {
	s := fmt.Sprintf("%s %s settled %v clash %v yields %v took %v late %v found %v hunks %+v\n", c.Letter, c.State, c.Settled, c.Clash, c.Yields, c.Took, c.Late, c.found, c.Hunks)
	for _, st := range []*standing{c.last, c.over} {
		if st == nil {
			continue
		}
		f := st.look(d.Base, d.beside(c, st.ground))
		s += fmt.Sprintf("   on %q applied %v %+v\n   edits %v\n   says %+v\n", st.ground.text.String(), st.applied, st.hunks, st.ground.edits, f)
	}
	return s
}

package memory

import "cmp"

// Compression says from which part of the window each level begins. Zero
// values are the defaults.
type Compression struct {
	Light, Medium, Heavy, Emergency float64
}

// Hints of the meta block, by how full the window is.
const (
	HintNormal    = "normal"
	HintLight     = "light_compression"
	HintMedium    = "medium_compression"
	HintHeavy     = "heavy_compression"
	HintEmergency = "emergency_compression"
)

// LastResort is the share of the window from which galley makes room by itself.
func (c Compression) LastResort() float64 { return cmp.Or(c.Emergency, 0.75) }

// hint is the level at a share of the window.
func (c Compression) hint(share float64) string {
	switch {
	case share >= c.LastResort():
		return HintEmergency
	case share >= cmp.Or(c.Heavy, 0.60):
		return HintHeavy
	case share >= cmp.Or(c.Medium, 0.40):
		return HintMedium
	case share >= cmp.Or(c.Light, 0.20):
		return HintLight
	}
	return HintNormal
}

package cli

import "runtime/debug"

// version is set by the build (see the Makefile).
var version string

// Version is the version of this program: of the build, else of the module.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// Where the server's program is. Nothing here needs VS Code.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Places {
  setting: string; // of the user, "" if there is none
  bundled: string; // folder of the extension that a build for one platform has the program in
  path: string; // PATH
  home: string;
  go: { bin?: string | undefined; path?: string | undefined }; // GOBIN, GOPATH
  windows: boolean;
}

/** candidates are the places that are looked at, in this order. A setting is the only one where it is given. */
export function candidates(p: Places): string[] {
  const exe = p.windows ? 'galley.exe' : 'galley';
  if (p.setting !== '') {
    return [p.setting.replace(/^~(?=[/\\]|$)/, p.home)];
  }
  const out = [join(p.bundled, exe)];
  for (const folder of p.path.split(delimiter)) {
    if (folder !== '') {
      out.push(join(folder, exe));
    }
  }
  if (p.go.bin !== undefined) {
    out.push(join(p.go.bin, exe));
  }
  for (const folder of (p.go.path ?? join(p.home, 'go')).split(delimiter)) {
    out.push(join(folder, 'bin', exe));
  }
  return out;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** find is the first candidate that can be run. */
export function find(p: Places): string | undefined {
  return candidates(p).find(isProgram);
}

/** lacking are the commands that a server does not have, though this extension needs them: it is too old. */
export function lacking(wanted: readonly string[], offered: readonly string[]): string[] {
  return wanted.filter((name) => !offered.includes(name));
}

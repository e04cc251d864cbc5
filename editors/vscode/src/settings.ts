// The settings that go to the server: those that somebody has set. What is only a default stays here, so that the files
// of settings (docs/configuration.md) and the environment have their say.
import { section } from './ext';

export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The extension's own settings, which the server does not know. */
const own = /^(server|show|trace)\./;

/** names are the settings of the server, without "galley.", as package.json declares them. */
export function names(manifest: { contributes: { configuration: { properties: Record<string, unknown> }[] } }): string[] {
  return manifest.contributes.configuration
    .flatMap((group) => Object.keys(group.properties))
    .map((name) => name.slice(section.length + 1))
    .filter((name) => !own.test(name));
}

/** given are the settings that somebody has set, dotted, the nearest place first. */
export function given(all: readonly string[], inspect: (name: string) => Inspected | undefined): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of all) {
    const found = inspect(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value !== undefined && value !== null) {
      out[name] = value;
    }
  }
  return out;
}

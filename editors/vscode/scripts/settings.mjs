// galley config schema | settings.mjs [--check]: the settings of the server in package.json, a group for each part of the
// schema, behind the extension's own. With --check it only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(0, 'utf8'));
const before = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(before);

/** flat are the settings below a part of the schema, by their dotted names. */
function flat(name, part) {
  if (!part.properties) {
    return { [name]: part };
  }
  return Object.assign({}, ...Object.entries(part.properties).map(([key, below]) => flat(`${name}.${key}`, below)));
}

const [own] = manifest.contributes.configuration;
const groups = Object.entries(schema.properties).map(([key, part]) => ({
  title: key.replace(/^./, (c) => c.toUpperCase()).replaceAll('_', ' '),
  properties: flat(`galley.${key}`, part),
}));
manifest.contributes.configuration = [own, ...groups];
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = manifest.contributes.configuration
  .flatMap((group) => Object.keys(group.properties))
  .filter((name) => !/^galley\.(show|trace|ui)\./.test(name));

const after = `${JSON.stringify(manifest, null, 2)}\n`;
if (after !== before && process.argv.includes('--check')) {
  console.error('the settings in editors/vscode/package.json are not those of galley config schema; run: galley config schema | (cd editors/vscode; npm run settings)');
  process.exit(1);
} else if (after !== before) {
  writeFileSync('package.json', after);
}

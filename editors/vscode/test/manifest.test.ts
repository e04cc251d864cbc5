// package.json says what VS Code shows; the code has what stands behind it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../package.json';

const code = readFileSync('src/extension.ts', 'utf8');
const table = /Record<string, Handler> \{\n {2}return \{(.*?)\n {2}\};/s.exec(code)?.[1] ?? '';
const registered = [...table.matchAll(/^ {4}(\w+):/gm)].map((m) => `galley.${m[1] ?? ''}`);
const { commands, menus, keybindings } = manifest.contributes;
const declared = commands.map((c) => c.command);
const behindLenses = ['galley.resolve']; // only lenses and code actions come with what it needs

test('each command that is shown is there, and each that is there is shown', () => {
  assert.ok(registered.length > 30);
  assert.deepEqual(
    registered.filter((name) => !declared.includes(name)),
    behindLenses,
  );
  assert.deepEqual(
    declared.filter((name) => !registered.includes(name)),
    [],
  );
});

test('menus and keys name commands that are there', () => {
  const used = [...Object.values(menus).flat(), ...keybindings].map((item) => item.command);
  assert.deepEqual(
    used.filter((name) => !declared.includes(name)),
    [],
  );
});

test('no menu is one that VS Code keeps to itself', () => {
  // It leaves out what is proposed only; code-server shows it all the same.
  const known = ['commandPalette', 'editor/context', 'editor/title', 'comments/commentThread/title', 'view/title', 'view/item/context'];
  assert.deepEqual(
    Object.keys(menus).filter((name) => !known.includes(name)),
    [],
  );
});

test('no key takes a letter from who types, and each has its condition', () => {
  for (const { key, mac, when } of keybindings) {
    assert.match(key, /^(ctrl|alt)\+/);
    assert.match(mac, /^(cmd|ctrl)\+/); // with Option alone a Mac types “ and ‘
    assert.match(when, /galley\./);
  }
});

test('what a menu asks for is told', () => {
  const told = [...`${readFileSync('src/status.ts', 'utf8')}${readFileSync('src/tree.ts', 'utf8')}`.matchAll(/set\('(\w+)'|'galley\.(checked)'/g)];
  const names = told.map((m) => m[1] ?? m[2]);
  const contributed = JSON.stringify([menus, keybindings, manifest.contributes.views, manifest.contributes.viewsWelcome]);
  const conditions = [...contributed.matchAll(/"when":"([^"]*)"/g)].map((m) => (m[1] ?? '').replace(/view == galley\.\w+/g, ''));
  for (const [, name] of conditions.join(' ').matchAll(/galley\.(\w+)/g)) {
    assert.ok(names.includes(name), `galley.${name ?? ''} is never set`);
  }
});

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { candidates, find, lacking, type Places } from '../src/binary';

const nowhere: Places = { setting: '', bundled: '/ext/bin', path: '', home: '/home/me', go: {}, windows: false };

test('the places, in their order', () => {
  const path = ['/usr/bin', '', '/opt/bin'].join(delimiter);
  assert.deepEqual(candidates({ ...nowhere, path, go: { bin: '/go/bin' } }), [
    '/ext/bin/galley',
    '/usr/bin/galley',
    '/opt/bin/galley',
    '/go/bin/galley',
    '/home/me/go/bin/galley',
  ]);
  assert.deepEqual(candidates({ ...nowhere, go: { path: '/a' }, windows: true }), ['/ext/bin/galley.exe', '/a/bin/galley.exe']);
});

test('a setting is the only place', () => {
  assert.deepEqual(candidates({ ...nowhere, setting: '/my/galley', path: '/usr/bin' }), ['/my/galley']);
  assert.deepEqual(candidates({ ...nowhere, setting: '~/bin/galley' }), ['/home/me/bin/galley']);
  assert.deepEqual(candidates({ ...nowhere, setting: '~other/galley' }), ['~other/galley']);
});

test('the first that can be run', () => {
  const root = mkdtempSync(join(tmpdir(), 'galley-'));
  try {
    const made = (name: string, mode: number): string => {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'galley'), '');
      chmodSync(join(root, name, 'galley'), mode);
      return join(root, name);
    };
    mkdirSync(join(root, 'folder', 'galley'), { recursive: true });
    const path = [join(root, 'none'), join(root, 'folder'), made('data', 0o644), made('first', 0o755), made('second', 0o755)];
    const places = { ...nowhere, path: path.join(delimiter) };
    assert.equal(find(places), join(root, 'first', 'galley'));
    assert.equal(find({ ...places, setting: join(root, 'data', 'galley') }), undefined);
    assert.equal(find({ ...places, bundled: join(root, 'second') }), join(root, 'second', 'galley'));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a server that is too old lacks commands', () => {
  assert.deepEqual(lacking(['galley.ask', 'galley.split'], ['galley.ask', 'galley.more']), ['galley.split']);
  assert.deepEqual(lacking(['galley.ask'], ['galley.ask']), []);
});

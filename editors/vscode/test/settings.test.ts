import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../package.json';
import { given, names, type Inspected } from '../src/settings';

test("the server's settings are those that the extension does not keep", () => {
  const all = names(manifest);
  assert.ok(all.includes('model.base_url') && all.includes('tools.run_command') && all.includes('review'));
  assert.deepEqual(
    all.filter((name) => /^(server|show|trace)\./.test(name)),
    [],
  );
});

test('only what somebody has set goes to the server, the nearest place first', () => {
  const set: Record<string, Inspected & { defaultValue?: unknown }> = {
    review: { defaultValue: 'ask' },
    'ui.icons': { defaultValue: true, globalValue: false },
    'model.model': { globalValue: 'a', workspaceValue: 'b' },
    'log.level': { globalValue: 'info', workspaceValue: 'warn', workspaceFolderValue: 'debug' },
    'log.file': { globalValue: null },
  };
  assert.deepEqual(
    given([...Object.keys(set), 'unknown'], (name) => set[name]),
    { 'ui.icons': false, 'model.model': 'b', 'log.level': 'debug' },
  );
});

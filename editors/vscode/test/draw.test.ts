import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../src/conversation';
import * as draw from '../src/draw';
import type * as ext from '../src/ext';
import { State } from '../src/state';
import { change, changes, run } from './changes';

test('a diff is the lines of the server', () => {
  const lines = [...change('A').lines, { sign: '!' as const, text: '34 more lines', marks: [] }, { sign: '!' as const, text: '', marks: [] }];
  assert.equal(draw.diff(lines), '-old\n+new\n@@ 34 more lines @@\n@@ … @@');
  const around = { sign: ' ' as const, text: 'same', marks: [] };
  assert.equal(draw.diff([around, ...lines.slice(1, 2), around, ...lines.slice(2, 3), around]), '-old\n same\n+new');
  assert.equal(draw.diff([]), '');
});

test('a long line is shown around what differs in it', () => {
  const text = `${'x'.repeat(5000)}new${'y'.repeat(5000)}`;
  const shown = `${'x'.repeat(100)}new${'y'.repeat(100)}`;
  const line = { sign: '+' as const, text, marks: [[5000, 5003]] as [number, number][] };
  assert.equal(draw.diff([line]), `+…${shown}…`);
  assert.equal(draw.diff([{ ...line, marks: [] }]), `+${text}`);
  assert.equal(draw.diff([{ ...line, marks: [[0, text.length]] }]), `+${text}`); // what is new is shown
});

test('a change within a line is called by what differs', () => {
  const line = (sign: '-' | '+', text: string, ...marks: [number, number][]): ext.Line => ({ sign, line: 2, text, marks });
  assert.equal(draw.short(change('A', { lines: [line('-', 'timeout: 30', [9, 11]), line('+', 'timeout: 60', [9, 11])] })), '30 → 60');
  assert.equal(draw.short(change('A', { lines: [line('-', 'old'), line('+', 'new')] })), 'old → new');
  assert.equal(draw.short(change('A', { lines: [line('+', 'new')] })), 'old becomes new');
  assert.equal(draw.short(change('A', { kind: 'create', lines: [line('-', 'a'), line('+', 'b')] })), 'old becomes new');
  assert.equal(draw.summary(change('A', { state: 'conflict' })), 'A: old → new (conflict)');
});

test('a change that was rejected before says so', () => {
  const again = change('B', { by: 'you', rejectedBefore: { change: 'A', verdict: 'too long' } });
  assert.equal(draw.standing(again), 'edited by you, rejected before as A');
  assert.equal(draw.summary(again), 'B: old → new (edited by you, rejected before as A)');
});

test('no text ends its block', () => {
  assert.equal(draw.fenced('diff', '+a'), '```diff\n+a\n```\n');
  assert.equal(draw.fenced('', 'a\n````\nb'), '`````\na\n````\nb\n`````\n');
});

test('a reason stands in markdown as it is', () => {
  assert.equal(draw.escaped('[x](command:y) <b> `c` *d*'), '\\[x\\]\\(command\\:y\\) \\<b\\> \\`c\\` \\*d\\*');
});

test('a change of a whole file says what happens to it', () => {
  assert.match(draw.body(change('A', { kind: 'create' }), ''), /^\*new file\*/);
  assert.match(draw.body(change('A', { kind: 'rename' }), 'b.txt'), /^\*renames the file to b\\\.txt\*/);
});

test('a conflict shows both sides', () => {
  const body = draw.body(change('A', { state: 'conflict', conflict: { mine: 'MINE', agent: 'AGENT', original: 'ORIGINAL' } }), '');
  assert.ok(body.indexOf('MINE') > body.indexOf('**Yours**'));
  assert.ok(body.indexOf('AGENT') > body.indexOf("**The agent's**"));
});

test('the status bar leaves out what is nothing', () => {
  const state = new State();
  assert.equal(draw.status(state), '');
  state.putChanges(changes(1, change('A'), change('B', { state: 'conflict' })));
  assert.equal(draw.status(state), '2 letters, 1 conflict');
  state.putRun(run(1, 1, { state: 'tool', tool: 'read' }));
  const context = { tokensUsed: 620, tokensMax: 1000, tokensPercent: 62, actionHint: 'heavy_compression' };
  state.putContext({ seq: 1, session: 'S1', estimated: true, cachedPercent: 0, categories: {}, ...context });
  assert.equal(draw.status(state), '2 letters, 1 conflict · 62% heavy · read');
});

test('an edit is called by the title of its session, and its number where there are several', () => {
  const state = new State();
  const own = { session: 'S1', title: `five  times\n${'x'.repeat(100)}`, state: 'editing' as const, summary: '', pending: 0 };
  state.putChanges({ ...changes(1), edits: [{ ...own, edit: 1 }] });
  assert.equal(draw.edit(state, { session: 'S1', edit: 1 }), `five times ${'x'.repeat(48)}…`);
  state.putChanges({ ...changes(2), edits: [1, 2].map((edit) => ({ ...own, edit })) });
  assert.match(draw.edit(state, { session: 'S1', edit: 2 }), / #2$/);
  assert.equal(draw.proposer(state, change('A')), 'agent');
  state.putChanges({ ...changes(3), edits: ['S1', 'S2'].map((session) => ({ ...own, session, title: `of ${session}`, edit: 1 })) });
  assert.equal(draw.proposer(state, change('A')), 'of S1');
});

test('a bar of ten shows the least part', () => {
  assert.equal(draw.meter(1, 1000), '▰▱▱▱▱▱▱▱▱▱');
  assert.equal(draw.meter(0, 0), '▱▱▱▱▱▱▱▱▱▱');
  assert.equal(draw.meter(2000, 1000), '▰▰▰▰▰▰▰▰▰▰');
});

test('the conversation has prompts, words, calls, output and the end', () => {
  const state = new State();
  state.putChanges(changes(1, change('A', { state: 'rejected' }), change('B')));
  assert.equal(text(state), 'Nothing was asked yet.\n');
  state.prompts.set('R1', ['first\nsecond']);
  const output = Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\n');
  const calls = [
    { tool: 'edit', line: 'edit a.txt: A, B', letters: ['A', 'B'] },
    { tool: 'run_command', line: '$ make', output },
  ];
  state.putRun(run(1, 1, { text: 'I do it', calls }));
  state.putRun(run(2, 1, { state: 'done', text: 'I do it', calls }));
  assert.deepEqual(text(state).split('\n').slice(0, 6), [
    '› first',
    '› second',
    'I do it',
    '  edit a.txt: A, B  (A rejected)',
    '  $ make',
    '    … 2 lines before',
  ]);
  assert.match(text(state), / {4}line 9\n✓ done\n\n1 change waits for you\n$/);
  state.putRun({ ...run(3, 1, { state: 'failed', error: 'no server' }), run: 'R2' });
  assert.match(text(state), /no server\n✗ failed/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { State } from '../src/state';
import { change, changes, run } from './changes';

test('the newest message stands, and a late one is dropped', () => {
  const state = new State();
  let told = 0;
  state.on('changes', () => told++);
  state.putChanges(changes(7, change('A'), change('B')));
  state.putChanges(changes(6, change('C')));
  assert.equal(told, 1);
  assert.deepEqual(
    state.pending.map((p) => p.change.change),
    ['A', 'B'],
  );
  state.putChanges(changes(8));
  assert.equal(state.pending.length, 0);
});

test('what waits is staged, in conflict or on its way', () => {
  const state = new State();
  const all = (['staged', 'applying', 'applied', 'rejected', 'conflict'] as const).map((s, i) => change('ABCDE'.charAt(i), { state: s }));
  state.putChanges(changes(1, ...all));
  assert.deepEqual(
    state.pending.map((p) => p.change.change),
    ['A', 'B', 'E'],
  );
});

test('a letter that is free again is the one that waits', () => {
  const state = new State();
  state.putChanges(changes(1, change('A', { state: 'applied', edit: 1 }), change('A', { edit: 2 })));
  assert.equal(state.find('a')?.change.edit, 2);
  assert.equal(state.find('Z'), undefined);
});

test('a run keeps what it said in each step', () => {
  const state = new State();
  const call = { tool: 'edit', line: 'edit a.txt' };
  state.putRun(run(1, 1, { text: 'I look' }));
  state.putRun(run(2, 1, { state: 'tool', tool: 'edit', text: 'I look at it', calls: [call] }));
  assert.equal(state.running?.tool, 'edit');
  state.putRun(run(3, 2, { state: 'waiting', text: 'your word about a command' }));
  assert.equal(state.running.waiting, 'your word about a command');
  state.putRun(run(2, 2, { text: 'late' }));
  state.putRun(run(4, 2, { state: 'done', text: 'It is done' }));
  assert.equal(state.running, undefined);
  const [only] = state.runs;
  assert.ok(only);
  assert.deepEqual(only.steps, [
    { step: 1, text: 'I look at it', calls: [call] },
    { step: 2, text: 'It is done', calls: [] },
  ]);
  assert.equal(only.waiting, undefined);
});

test('the files of one session make room for those of another', () => {
  const state = new State();
  const file = { session: 'S1', path: 'overview.md', size: 1, hash: 'x' };
  state.putMemory(file);
  state.putMemory({ ...file, path: 'detail/a.md' });
  state.putMemory({ ...file, path: 'overview.md', hash: '' });
  assert.deepEqual([...state.memory.keys()], ['detail/a.md']);
  state.putMemory({ ...file, session: 'S2' });
  assert.deepEqual([...state.memory.keys()], ['overview.md']);
});

test('a server that is gone leaves nothing', () => {
  const state = new State();
  state.putChanges(changes(9, change('A')));
  state.clear();
  assert.equal(state.pending.length, 0);
  state.putChanges(changes(1, change('B'))); // another server counts from the beginning
  assert.equal(state.pending.length, 1);
});

// Messages of the server's for tests.
import type * as ext from '../src/ext';

export function change(letter: string, more: Partial<ext.Change> = {}): ext.Change {
  return {
    change: letter,
    revision: 1,
    session: 'S1',
    edit: 1,
    state: 'staged',
    kind: 'replace',
    range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
    oldText: 'old',
    newText: 'new',
    edits: [],
    lines: [
      { sign: ' ', line: 1, text: 'one', marks: [] },
      { sign: '-', line: 2, text: 'old', marks: [] },
      { sign: '+', line: 2, text: 'new', marks: [] },
    ],
    summary: 'old becomes new',
    reason: '',
    hash: '0',
    ...more,
  };
}

export function changes(seq: number, ...letters: ext.Change[]): ext.Changes {
  return {
    session: 'S1',
    seq,
    edits: [{ session: 'S1', edit: 1, state: 'editing', summary: '', pending: letters.length }],
    files: [{ uri: 'file:///w/a.txt', path: 'a.txt', version: 1, changes: letters }],
  };
}

export function run(seq: number, step: number, more: Partial<ext.Run> = {}): ext.Run {
  return { run: 'R1', session: 'S1', seq, state: 'thinking', step, ...more };
}

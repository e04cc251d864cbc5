// Every name that is galley's own on the wire, and the shapes that come with them: the mirror of lsp/ext.go. A test of
// the server compares the names; docs/protocol.md says what they mean.
import type { Location, Position, Range } from 'vscode-languageclient';

export const methods = {
  changes: 'galley/changes',
  tasks: 'galley/tasks',
  context: 'galley/context',
  run: 'galley/run',
  save: 'galley/save',
  memory: 'galley/memory',
  question: 'galley/question',
} as const;

export const commands = {
  ask: 'galley.ask',
  cancel: 'galley.cancel',
  apply: 'galley.apply',
  reject: 'galley.reject',
  unreject: 'galley.unreject',
  resolve: 'galley.resolve',
  commit: 'galley.commit',
  revert: 'galley.revert',
  undo: 'galley.undo',
  send: 'galley.send',
  preview: 'galley.preview',
  next: 'galley.next',
  previous: 'galley.previous',
  changes: 'galley.changes',
  runs: 'galley.runs',
  tasks: 'galley.tasks',
  context: 'galley.context',
  sessions: 'galley.sessions',
  newSession: 'galley.newSession',
  openSession: 'galley.openSession',
  renameSession: 'galley.renameSession',
  deleteSession: 'galley.deleteSession',
  rewind: 'galley.rewind',
  compact: 'galley.compact',
  unfold: 'galley.unfold',
  memory: 'galley.memory',
  export: 'galley.export',
  comment: 'galley.comment',
  edit: 'galley.edit',
  amend: 'galley.amend',
  split: 'galley.split',
} as const;

export const scheme = 'galley'; // of virtual documents
export const section = 'galley'; // of the settings
export const current = 'current'; // stands for the active session in the URI of a virtual document

export type State = 'staged' | 'applying' | 'applied' | 'rejected' | 'conflict';

export interface Line {
  sign: ' ' | '-' | '+' | '!';
  line?: number;
  text: string;
  marks: [number, number][];
}

export interface Change {
  change: string;
  revision: number;
  session: string;
  edit: number;
  state: State;
  by?: string; // "you": edited by the user; else who decided
  kind: 'replace' | 'insert' | 'delete' | 'create' | 'delete_file' | 'rename';
  to?: string;
  range?: Range;
  oldText: string;
  newText: string;
  edits: { range: Range; newText: string }[];
  lines: Line[];
  summary: string;
  reason: string;
  task?: number;
  hash: string;
  conflict?: { mine: string; agent: string; original: string };
  rejectedBefore?: { change: string; verdict?: string };
}

export interface File {
  uri: string;
  path: string;
  version: number | null;
  changes: Change[];
}

export interface Edit {
  session: string;
  title: string; // of the session
  edit: number;
  state: 'editing' | 'proposed' | 'committing';
  task?: number;
  summary: string;
  pending: number;
}

export interface Latest {
  decision: string;
}

export interface Changes {
  session: string;
  seq: number;
  latest?: Latest;
  edits: Edit[];
  files: File[];
}

export interface Task {
  id: number;
  goal: string;
  state: 'waiting' | 'active' | 'completed' | 'reverted';
  summary: string;
  changes: string[];
  children: Task[];
}

export interface Tasks {
  seq: number;
  session: string;
  tree: Task[];
  text: string;
}

export interface Context {
  seq: number;
  session: string;
  tokensUsed: number;
  tokensMax: number;
  tokensPercent: number;
  actionHint: string;
  estimated: boolean;
  cachedPercent: number;
  categories: Record<string, number>;
}

export interface Memory {
  session: string;
  path: string;
  size: number;
  hash: string;
}

export interface Call {
  tool: string;
  path?: string;
  letters?: string[];
  status?: string;
  code?: string;
  hint?: string;
  exit?: number;
  output?: string;
  line: string;
}

export interface Run {
  run: string;
  session: string;
  seq: number;
  state: 'thinking' | 'tool' | 'waiting' | 'done' | 'failed' | 'cancelled';
  step: number;
  tool?: string;
  text?: string;
  error?: string;
  prompt?: string;
  calls?: Call[];
}

export interface Session {
  session: string;
  title: string;
  updated: string;
  pending: number;
  lockedBy?: string;
  readOnly?: string;
  current: boolean;
}

// The argument of a command; docs/protocol.md says which fields each takes.
export interface Argument {
  change?: string;
  changes?: string[];
  revision?: number;
  hash?: string;
  take?: 'mine' | 'agent' | 'ask';
  session?: string;
  force?: boolean;
  edit?: number;
  seq?: number;
  uri?: string;
  range?: Range;
  position?: Position;
  reason?: string;
  summary?: string;
  includeApplied?: boolean;
  prompt?: string;
  queue?: boolean;
  decision?: string;
  ask?: boolean;
  run?: string;
  format?: 'compact' | 'full' | 'stats' | 'diff';
  title?: string;
  text?: string;
  path?: string;
  target?: 'all' | 'conversation' | 'tools';
}

export interface Decision {
  changes: { change: string; revision: number; session: string; edit: number; state: State }[];
}

export interface Outcome {
  status: 'committed' | 'committing' | 'reverted' | 'reverting';
  hint?: string;
  session: string;
  edit: number;
  applied_changes?: number;
  files?: string[];
}

export interface Undone {
  undone?: { said: string };
  question?: string;
}

export interface Next {
  location: Location;
  change: string;
}

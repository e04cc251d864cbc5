// What the server said last. Every message is the whole state of its subject, so this only keeps the newest. Nothing here
// needs VS Code.
import type * as ext from './ext';

/** A run with all its steps; a message has only the latest. */
export interface RunState extends ext.Run {
  steps: { step: number; text: string; calls: ext.Call[] }[];
  waiting?: string; // what it waits for
  earlier?: boolean; // it was over when the server was started
}

export interface Placed {
  file: ext.File;
  change: ext.Change;
}

export type Kind = 'changes' | 'tasks' | 'context' | 'memory' | 'run' | 'titles';

const nothing: ext.Changes = { session: '', seq: -1, edits: [], files: [] };
const mostRuns = 20;

export function isPending(change: ext.Change): boolean {
  return change.state === 'staged' || change.state === 'applying' || change.state === 'conflict';
}

export function isOver(run: ext.Run): boolean {
  return run.state === 'done' || run.state === 'failed' || run.state === 'cancelled';
}

export class State {
  changes = nothing;
  tasks: ext.Tasks | undefined;
  context: ext.Context | undefined;
  memory = new Map<string, ext.Memory>(); // the current session's, by path
  runs: RunState[] = []; // in the order they began
  earlier = new Map<string, RunState[]>(); // those before the server was started, by session
  titles = new Map<string, string>(); // of sessions
  prompts = new Map<string, string[]>(); // that were asked here, by run
  private readonly listeners = new Set<(kind: Kind) => void>();

  /** on calls listener whenever something of a kind is new. */
  on(...args: [...kinds: Kind[], listener: () => void]): void {
    const listener = args.pop() as () => void;
    const kinds = args as Kind[];
    this.listeners.add((kind) => {
      if (kinds.includes(kind)) {
        listener();
      }
    });
  }

  tell(kind: Kind): void {
    for (const listener of this.listeners) {
      listener(kind);
    }
  }

  /** clear forgets all: the server is gone. */
  clear(): void {
    this.changes = nothing;
    this.tasks = this.context = undefined;
    this.memory = new Map();
    this.runs = [];
    this.earlier = new Map();
    this.titles = new Map();
    this.prompts = new Map();
    for (const kind of ['changes', 'tasks', 'context', 'memory', 'run'] as const) {
      this.tell(kind);
    }
  }

  putChanges(message: ext.Changes): void {
    if (message.seq >= this.changes.seq) {
      this.changes = message;
      this.tell('changes');
    }
  }

  putTasks(message: ext.Tasks): void {
    if (message.seq >= (this.tasks?.seq ?? -1)) {
      this.tasks = message;
      this.tell('tasks');
    }
  }

  putContext(message: ext.Context): void {
    if (message.seq >= (this.context?.seq ?? -1)) {
      this.context = message;
      this.tell('context');
    }
  }

  /** putMemory: a file came, changed or went. Those of another session make room. */
  putMemory(message: ext.Memory): void {
    const [other] = this.memory.values();
    if (other && other.session !== message.session) {
      this.memory = new Map();
    }
    if (message.hash === '') {
      this.memory.delete(message.path);
    } else {
      this.memory.set(message.path, message);
    }
    this.tell('memory');
  }

  /** putRun joins what a run said last to its steps. */
  putRun(message: ext.Run, runs = this.runs): RunState {
    let run = runs.find((r) => r.run === message.run);
    if (!run) {
      run = { ...message, seq: -1, steps: [] };
      runs.push(run);
      runs.splice(0, runs.length - mostRuns);
    }
    if (message.seq < run.seq) {
      return run;
    }
    delete run.tool;
    delete run.error;
    delete run.waiting;
    Object.assign(run, message);
    let last = run.steps.at(-1);
    if (!last || message.step > last.step) {
      last = { step: message.step, text: '', calls: [] };
      run.steps.push(last);
    }
    if (message.state === 'waiting') {
      run.waiting = message.text ?? '';
    } else if (message.text) {
      last.text = message.text;
    }
    last.calls = message.calls ?? last.calls;
    this.tell('run');
    return run;
  }

  /** recall keeps the runs of a session from before the server was started. */
  recall(session: string, messages: ext.Run[]): void {
    const runs: RunState[] = [];
    for (const message of messages) {
      this.putRun({ ...message, seq: 0 }, runs).earlier = true;
    }
    this.earlier.set(session, runs);
    this.tell('run');
  }

  /** conversation is that of the current session. */
  get conversation(): RunState[] {
    const { session } = this.changes;
    const now = this.runs.filter((run) => session === '' || run.session === session);
    return [...(this.earlier.get(session) ?? []), ...now];
  }

  get running(): RunState | undefined {
    return this.runs.findLast((run) => !isOver(run));
  }

  /** all are the changes in the order of files and places. */
  get all(): Placed[] {
    return this.changes.files.flatMap((file) => file.changes.map((change) => ({ file, change })));
  }

  get pending(): Placed[] {
    return this.all.filter(({ change }) => isPending(change));
  }

  find(letter: string): Placed | undefined {
    const found = this.all.filter(({ change }) => change.change === letter.toUpperCase());
    return found.find(({ change }) => isPending(change)) ?? found[0];
  }

  /** of are the changes of an edit. */
  of(edit: { session: string; edit: number }): Placed[] {
    return this.all.filter(({ change }) => change.session === edit.session && change.edit === edit.edit);
  }

  /** title is what people call a session. */
  title(session: string): string {
    return this.titles.get(session) ?? session;
  }
}

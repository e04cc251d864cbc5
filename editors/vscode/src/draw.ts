// What the server said as text: markdown of a change, labels, lines of a status bar. Drawing only: what differs comes as
// `lines`. Nothing here needs VS Code.
import type * as ext from './ext';
import { isPending, type State } from './state';

export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** fenced is a text as a block of markdown that nothing in it can end. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}

/** escaped is a text that stands in markdown as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|~&:@]/g, '\\$&').replace(/\n/g, '  \n');
}

const mostLine = 500; // characters of a line
const around = 100; // characters on each side of what differs, in a longer one

/** narrow leaves out of a long line what is far from all that differs in it. */
function narrow({ text, marks }: ext.Line): string {
  const [first] = marks;
  const last = marks.at(-1);
  if (text.length <= mostLine || !first || !last) {
    return text;
  }
  const [from, to] = [Math.max(0, first[0] - around), last[1] + around];
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** diff is a change as the lines of a patch, from its first to its last: what is around it stands beside it. */
export function diff(lines: readonly ext.Line[]): string {
  const first = lines.findIndex(({ sign }) => sign !== ' ');
  const last = lines.findLastIndex(({ sign }) => sign !== ' ');
  return lines
    .slice(Math.max(first, 0), last + 1)
    .map((line) => (line.sign === '!' ? `@@ ${line.text === '' ? '…' : line.text} @@` : `${line.sign}${narrow(line)}`))
    .join('\n');
}

/** wholeFile says what happens to a file, for a change that is about all of it. */
export function wholeFile(change: ext.Change, to: string): string | undefined {
  switch (change.kind) {
    case 'create':
      return 'new file';
    case 'delete_file':
      return 'deletes the file';
    case 'rename':
      return `renames the file to ${to}`;
    default:
      return undefined;
  }
}

/** standing says where a change stands, if that is not simply that it waits. Why it was rejected before is in its reason. */
export function standing(change: ext.Change): string {
  const words = {
    staged: '',
    applying: 'is being applied',
    applied: 'applied',
    rejected: 'rejected',
    conflict: 'conflict',
  }[change.state];
  const before = change.rejectedBefore ? `rejected before as ${change.rejectedBefore.change}` : '';
  return [words, change.by === 'you' ? 'edited by you' : '', before].filter((s) => s !== '').join(', ');
}

/** body is a change as markdown: what it does, why, and in a conflict both sides. */
export function body(change: ext.Change, to: string): string {
  const out: string[] = [];
  const file = wholeFile(change, to);
  if (file !== undefined) {
    out.push(`*${escaped(file)}*\n`);
  }
  if (change.conflict) {
    const { mine, agent } = change.conflict;
    out.push('**Yours**\n', fenced('', mine), "**The agent's**\n", fenced('', agent));
  } else if (change.lines.length > 0) {
    out.push(fenced('diff', diff(change.lines)));
  }
  if (change.reason !== '') {
    out.push(escaped(change.reason));
  }
  return out.join('\n');
}

const mostShort = 40; // characters of a side

/** marked is what differs in a line, or all of it. */
function marked({ text, marks }: ext.Line): string {
  const [first] = marks;
  const last = marks.at(-1);
  return cut(first && last ? text.slice(first[0], last[1]) : text, mostShort);
}

/** short is what a change does in a few words: what differs where that is within a line, else its summary. */
export function short(change: ext.Change): string {
  const [old, ...moreOld] = change.lines.filter(({ sign }) => sign === '-');
  const [now, ...moreNow] = change.lines.filter(({ sign }) => sign === '+');
  const whole = wholeFile(change, '') !== undefined || moreOld.length + moreNow.length > 0;
  return whole || !old || !now ? change.summary : `${marked(old)} → ${marked(now)}`;
}

/** summary is the line that names a change. */
export function summary(change: ext.Change): string {
  const state = standing(change);
  return `${change.change}: ${short(change)}${state === '' ? '' : ` (${state})`}`;
}

/** level is how pressing it is to make room in the context: light, medium, heavy, emergency, or "". */
export function level(context: ext.Context): string {
  return /^([a-z]+)_compression$/.exec(context.actionHint)?.[1] ?? '';
}

/** status is the line for the status bar: "3 letters, 1 conflict · 62% heavy · thinking", without what is nothing. */
export function status(state: State): string {
  const { pending, context, running } = state;
  const out: string[] = [];
  const conflicts = pending.filter(({ change }) => change.state === 'conflict').length;
  if (pending.length > 0) {
    out.push(count(pending.length, 'letter') + (conflicts > 0 ? `, ${count(conflicts, 'conflict')}` : ''));
  }
  if (context && context.tokensPercent > 0) {
    out.push(`${context.tokensPercent}% ${level(context)}`.trim());
  }
  if (running) {
    out.push(running.state === 'tool' ? (running.tool ?? 'tool') : running.state);
  }
  return out.join(' · ');
}

/** edit is what people call an editing session: the title of its session, and its number where that has several. */
export function edit(state: State, of: { session: string; edit: number }): string {
  const several = state.changes.edits.filter((e) => e.session === of.session).length > 1;
  return `${cut(state.title(of.session), 60)}${several ? ` #${of.edit}` : ''}`;
}

/** proposer is whose change it is: the session where there are several, else just the agent. */
export function proposer(state: State, change: ext.Change): string {
  const several = state.changes.edits.some((e) => e.session !== change.session);
  return several ? cut(state.title(change.session), 60) : 'agent';
}

/** cut is a text in one line, and not longer than most. */
export function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const signs = Array.from(line);
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : line;
}

/** waiting says how many changes wait. */
export function waiting(changes: readonly ext.Change[]): string {
  const n = changes.filter(isPending).length;
  return `${count(n, 'change')} ${n === 1 ? 'waits' : 'wait'} for you`;
}

/** meter is a share as a bar of ten. */
export function meter(part: number, all: number): string {
  const n = all > 0 ? Math.min(10, Math.ceil((10 * part) / all)) : 0;
  return '▰'.repeat(n) + '▱'.repeat(10 - n);
}

/** full says how full the context is. */
export function full(context: ext.Context): string {
  const about = context.estimated ? 'about ' : '';
  const used = context.tokensUsed.toLocaleString('en');
  return `${about}${used} of ${context.tokensMax.toLocaleString('en')} tokens, ${context.tokensPercent}% ${level(context)}`.trim();
}

// Runs as people read them: what was asked, what the agent said and used, how it ended. Nothing here needs VS Code.
import * as draw from './draw';
import type * as ext from './ext';
import { isOver, isPending, type RunState, type State } from './state';

const mostOutput = 8; // lines

function indented(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}

/** call is a call in the server's words, what has become of its letters, and what a command wrote. */
function call(state: State, of: ext.Call): string[] {
  const fates = (of.letters ?? []).flatMap((letter) => {
    const change = state.find(letter)?.change;
    return change && change.state !== 'staged' ? [`${letter} ${change.state}`] : [];
  });
  const out = [`  ${of.line}${fates.length > 0 ? `  (${fates.join(', ')})` : ''}`];
  const output = (of.output ?? '').trim();
  const lines = output === '' ? [] : output.split('\n');
  if (lines.length > mostOutput) {
    out.push(`    … ${lines.length - mostOutput} lines before`);
  }
  out.push(...lines.slice(-mostOutput).map((line) => `    ${line}`));
  return out;
}

function end(run: RunState): string[] {
  const out: string[] = run.error ? [run.error] : [];
  switch (run.state) {
    case 'done':
      return run.earlier ? out : [...out, '✓ done'];
    case 'failed':
      return [...out, '✗ failed'];
    case 'cancelled':
      return [...out, '■ stopped; what is staged stays'];
    case 'waiting':
      return [...out, `… ${run.waiting ?? 'waiting'}`];
    default:
      return [...out, '…'];
  }
}

function told(state: State, run: RunState): string {
  const prompts = state.prompts.get(run.run) ?? (run.prompt === undefined ? [] : [run.prompt]);
  const out = prompts.map((prompt) => indented(prompt, '› '));
  for (const step of run.steps) {
    if (step.text.trim() !== '') {
      out.push(step.text.trim());
    }
    out.push(...step.calls.flatMap((c) => call(state, c)));
  }
  return [...out, ...end(run)].join('\n');
}

/** text is the conversation of the current session. */
export function text(state: State): string {
  const runs = state.conversation;
  const out = runs.map((run) => told(state, run));
  const last = runs.at(-1);
  const changes = state.all.map(({ change }) => change);
  if (last && isOver(last) && changes.some(isPending)) {
    out.push(draw.waiting(changes));
  }
  return out.length === 0 ? 'Nothing was asked yet.\n' : `${out.join('\n\n')}\n`;
}

/** lastWords is what a run said last. */
export function lastWords(run: RunState): string {
  return run.steps.findLast((step) => step.text.trim() !== '')?.text.trim() ?? '';
}

// What costs nothing to read: a tint on the lines that a change would replace, its letter in the gutter, a mark in the
// overview ruler.
import * as vscode from 'vscode';
import type * as ext from './ext';
import { isOf, isShown, rangeOf, whole } from './places';
import { isPending, type State } from './state';

const colours = { staged: '#3794ff', conflict: '#cca700' };
type Look = keyof typeof colours;

function letterIcon(letter: string, look: Look): vscode.Uri {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">' +
    `<rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="${colours[look]}"/>` +
    '<text x="8" y="11.8" text-anchor="middle" font-family="sans-serif" font-size="10.5" font-weight="bold" fill="#fff">' +
    `${letter}</text></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml,${encodeURIComponent(svg)}`);
}

/** tints are the settings about it. */
interface Shown {
  tint: boolean;
  gutter: boolean;
  ruler: boolean;
}

export class Tint implements vscode.Disposable {
  private readonly types = new Map<string, vscode.TextEditorDecorationType>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly state: State) {
    state.on('changes', () => this.refresh());
    this.subscriptions = [vscode.window.onDidChangeVisibleTextEditors(() => this.refresh())];
  }

  dispose(): void {
    this.redraw();
    for (const d of this.subscriptions) {
      d.dispose();
    }
  }

  refresh(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      this.draw(editor);
    }
  }

  /** redraw begins anew: a setting is another. */
  redraw(): void {
    for (const type of this.types.values()) {
      type.dispose();
    }
    this.types.clear();
    this.refresh();
  }

  private draw(editor: vscode.TextEditor): void {
    const file = this.state.changes.files.find((f) => isOf(f, editor.document.uri));
    if (file && !isShown(file)) {
      return; // the next message has the places in this text
    }
    const { tint, gutter, ruler } = vscode.workspace.getConfiguration('galley').get<Shown>('show') as Shown;
    const ranges = new Map<string, vscode.Range[]>([...this.types.keys()].map((name) => [name, []]));
    const add = (name: string, range: vscode.Range): void => {
      ranges.set(name, [...(ranges.get(name) ?? []), range]);
    };
    for (const change of file?.changes.filter(isPending) ?? []) {
      const look: Look = change.state === 'conflict' ? 'conflict' : 'staged';
      const places = placesOf(change);
      if (tint) {
        places.filter((r) => !r.isEmpty || look === 'conflict').forEach((r) => add(`tint ${look}`, whole(r)));
      }
      if (ruler) {
        places.forEach((r) => add(`ruler ${look}`, whole(r)));
      }
      const [first] = places;
      if (gutter && first) {
        add(`gutter ${look} ${change.change}`, new vscode.Range(first.start, first.start));
      }
    }
    for (const [name, places] of ranges) {
      editor.setDecorations(this.type(name), places);
    }
  }

  private type(name: string): vscode.TextEditorDecorationType {
    let type = this.types.get(name);
    if (!type) {
      const [what, look, letter] = name.split(' ') as [string, Look, string];
      type = vscode.window.createTextEditorDecorationType(
        what === 'gutter'
          ? { gutterIconPath: letterIcon(letter, look), gutterIconSize: 'contain' }
          : what === 'ruler'
            ? {
                overviewRulerColor: new vscode.ThemeColor(`galley.${look}Ruler`),
                overviewRulerLane: vscode.OverviewRulerLane.Center,
              }
            : { isWholeLine: true, backgroundColor: new vscode.ThemeColor(`galley.${look}Background`) },
      );
      this.types.set(name, type);
    }
    return type;
  }
}

function placesOf(change: ext.Change): vscode.Range[] {
  return change.edits.length > 0 ? change.edits.map((e) => rangeOf(e.range)) : [rangeOf(change.range)];
}

// A VS Code for your own browser, on a copy of the sample workspace, with the offline model. Four letters wait in it.
import fs from 'node:fs'
import path from 'node:path'
import { Code, root, until } from './vscode.ts'

const code = new Code()
const end = async () => {
  await code.end()
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
const shop = path.join(code.dir, 'shop')
fs.cpSync(path.join(root, 'testdata/demo'), shop, { recursive: true })
await code.start()
console.log(`
  Open  ${code.url(shop)}

  Four letters will wait in two files; nothing is written before you say so.

    Alt+]  Alt+[              the next change, the one before
    Ctrl+Alt+Y  Ctrl+Alt+N    apply it, reject it
    Ctrl+Z                    in the editor: take back what you applied
    F1, Galley: Commit        apply the rest and save; F1, Galley: Undo … takes that back, too
    Ctrl+Alt+G                ask, say: replace "pool: 20" with "pool: 50" in services.yaml

  It is a real galley, but no language model: the built-in one follows instructions word for word. Ctrl+C ends it, and
  removes the workspace: ${shop}
`)

const wanted = [
  'replace "const defaultRetries = 3" with "const defaultRetries = 5" in internal/client/client.go',
  'replace "pause = 200" with "pause = 500" in internal/client/client.go because "five quick retries are too many"',
  'replace "up to 3 times" with "up to 5 times" in docs/guide.md',
  'append "The wait never outlasts the context\'s deadline.\\n" to docs/guide.md after "## Retries"',
].join(' then ')

const link = (await until('a window comes', () => code.links[0], Boolean, Infinity))!
await until('galley serves', () => code.run(link, (vscode) => vscode.extensions.getExtension('galley-ls.galley')?.exports?.changes().seq >= 0))
await code.run(
  link,
  async (vscode, [file, prompt]) => {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false })
    await vscode.commands.executeCommand('workbench.view.extension.galley')
    await vscode.extensions.getExtension('galley-ls.galley').exports.request('galley.ask', { prompt })
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup')
  },
  [path.join(shop, 'internal/client/client.go'), wanted] as const,
)

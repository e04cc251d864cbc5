// What happens around letters that wait: saving, reloading, crashes, other windows and terminals.
import path from 'node:path'
import { assert, scenario } from './scenario.ts'
import { until } from './vscode.ts'

const numbers = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('')
const three = 'replace "line 5" with "five" in a.txt then replace "line 20" with "twenty" in a.txt then replace "line 28" with "eight" in a.txt'
const staged = { A: 'staged', B: 'staged', C: 'staged' }

scenario('auto-save writes what is typed, and nothing of a letter', async (open) => {
  const w = await open({ 'a.txt': numbers }, { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 })
  await w.proposed(three, staged)
  await w.edit('a.txt', 2)
  await w.type('mine ')
  await w.disk('a.txt', numbers.replace('line 2\n', 'mine line 2\n'))
  await w.letters(staged)
})

scenario('a formatter on save leaves the other letters waiting', async (open) => {
  const w = await open({ 'a.txt': numbers }, { 'editor.formatOnSave': true })
  await w.run((vscode) => {
    vscode.languages.registerDocumentFormattingEditProvider('plaintext', {
      provideDocumentFormattingEdits: (d: { lineCount: number; lineAt(n: number): { isEmptyOrWhitespace: boolean } }) =>
        Array.from({ length: d.lineCount }, (_, i) => i)
          .filter((i) => !d.lineAt(i).isEmptyOrWhitespace)
          .map((i) => vscode.TextEdit.insert(new vscode.Position(i, 0), '  ')),
    })
  })
  await w.proposed(three, staged)
  await w.edit('a.txt', 5)
  await w.shows('A: Apply')
  await w.keys('Control+Alt+KeyY')
  await w.letters({ ...staged, A: 'applied' })
  await w.keys('Control+KeyS')
  await w.disk('a.txt', numbers.replace('line 5\n', 'five\n').replaceAll(/^/gm, '  ').slice(0, -2))
  await w.letters({ ...staged, A: 'applied' })
})

scenario('letters outlive a reload of the window, a crash of the server and one of the host', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.proposed(three, staged)
  await w.edit('a.txt', 28)
  await w.shows('C: Apply')
  await w.keys('Control+Alt+KeyN')
  const after = { ...staged, C: 'rejected' }
  await w.letters(after)
  await w.meets(async () => void (await w.page.reload()))
  await w.letters(after)

  const [server] = await until('the server runs', () => w.programs().filter((p) => p.own), (found) => found.length === 1)
  await w.run((vscode, pid) => {
    process.kill(pid, 'SIGKILL')
    for (const dead = Date.now() + 300; Date.now() < dead; ); // nothing is heard of its end, while
    for (let i = 0; i < 8; i++) void vscode.extensions.getExtension('galley-ls.galley').exports.request('galley.next').catch(() => {})
  }, server!.pid)
  await until('another server runs', () => w.programs().filter((p) => p.own && p.pid !== server!.pid), (found) => found.length === 1)
  await w.letters(after)

  const hosts = w.programs().filter((p) => !p.own)
  assert.ok(hosts.length > 0, 'there is a host')
  for (const { pid } of hosts) process.kill(pid, 'SIGKILL')
  await w.edit('a.txt', 5)
  await w.shows('A: Apply')
  // In old ones the extensions of the window before the reload run on, and may keep the file until they have not answered.
  await w.until('A can be applied again', async (vscode) => {
    const galley = vscode.extensions.getExtension('galley-ls.galley').exports
    const is = () => galley.changes().files.flatMap((f: { changes: object[] }) => f.changes).find((c: { change: string }) => c.change === 'A').state
    if (is() === 'staged') await galley.request('galley.apply', { change: 'A', revision: 1 })
    return is() === 'applied'
  })
  await w.letters({ ...after, A: 'applied' })
  await w.has('a.txt', numbers.replace('line 5\n', 'five\n'))
})

scenario('two windows on one workspace see the same letters', async (open) => {
  const one = await open({ 'a.txt': numbers })
  await one.edit('a.txt')
  const two = await open(one.folder)
  await one.ask(three)
  await one.letters(staged)
  await two.letters(staged)
  await two.edit('a.txt', 20)
  await two.shows('B: Apply')
  await two.keys('Control+Alt+KeyY')
  await one.letters({ ...staged, B: 'applied' })
  await one.has('a.txt', numbers.replace('line 20\n', 'twenty\n'))
  await two.has('a.txt', numbers) // the first window has the file: the other one gets it with the disk
  await one.keys('Control+KeyS')
  await two.has('a.txt', numbers.replace('line 20\n', 'twenty\n'))
  await two.letters({ ...staged, B: 'applied' })
})

scenario('letters of a run in the terminal come into the editor', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.edit('a.txt')
  await w.command('workbench.action.terminal.new')
  await w.page.waitForFunction(() => document.activeElement?.classList.contains('xterm-helper-textarea'))
  await w.type(`galley run '${three}'\n`)
  await w.letters(staged)
  await w.edit('a.txt', 5)
  await w.shows('A: Apply')
  await w.keys('Control+Alt+KeyY')
  await w.letters({ ...staged, A: 'applied' })
  await w.has('a.txt', numbers.replace('line 5\n', 'five\n'))
})

scenario('of several folders galley works in the first, and says so', async (open) => {
  const w = await open({ 'a.txt': numbers }, {}, { 'other.txt': numbers })
  await w.proposed(three, staged)
  await w.command('galley.changes.focus')
  await w.shows(`in ${path.basename(w.folder)}, the first of 2 folders`)
  await w.edit(path.relative(w.folder, await w.run((vscode) => vscode.workspace.workspaceFolders[1].uri.fsPath)) + '/other.txt')
  await w.keys('Alt+BracketRight', 'Control+Alt+KeyY')
  await w.letters({ ...staged, A: 'applied' })
})

// Texts that are large, many or odd.
import fs from 'node:fs'
import path from 'node:path'
import { assert, scenario } from './scenario.ts'

const numbers = Array.from({ length: 30 }, (_, i) => `line ${i + 1}.\n`).join('')

scenario('a code action that is older than its letter is refused', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.proposed('replace "line 5" with "five" in a.txt', { A: 'staged' })
  const action = await w.until(
    'there is an action',
    async (vscode, file) => {
      const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', vscode.Uri.file(file), new vscode.Range(4, 0, 4, 1))
      const command = actions.find((a: { title: string }) => a.title.startsWith('Apply A'))?.command
      return command && [command.command, ...command.arguments]
    },
    path.join(w.folder, 'a.txt'),
  )
  await w.ask('replace "five" with "FIVE" in a.txt')
  await w.until('A was amended', (vscode) => vscode.extensions.getExtension('galley-ls.galley').exports.changes().files[0].changes[0].revision > 1)
  await w.command<unknown>(...(action as [string, ...unknown[]]))
  await w.letters({ A: 'staged' })
  await w.has('a.txt', numbers)
})

scenario('26 letters over 10 files, and no 27th', async (open) => {
  const names = Array.from({ length: 10 }, (_, i) => `f${i}.txt`)
  const w = await open(Object.fromEntries(names.map((name) => [name, numbers])))
  await w.edit('f0.txt')
  const steps = Array.from({ length: 27 }, (_, i) => `replace "line ${i + 1}." with "number ${i + 1}." in ${names[i % 10]}`)
  await w.ask(steps.slice(0, 26).join(' then '))
  const all = Object.fromEntries(Array.from({ length: 26 }, (_, i) => [String.fromCharCode(65 + i), 'staged']))
  await w.letters(all)
  await w.ask(steps[26]!)
  await w.shows(/all 26 letters are in use/)
  await w.letters(all)
  await w.palette('Galley: Commit')
  await w.letters({})
  for (const [n, name] of names.entries()) {
    let want = numbers
    for (let i = n; i < 26; i += 10) want = want.replace(`line ${i + 1}.\n`, `number ${i + 1}.\n`)
    await w.disk(name, want)
  }
  await w.saved()
})

scenario('a file of 5 MB', async (open) => {
  const big = Array.from({ length: 120_000 }, (_, i) => `row ${String(i).padStart(6, '0')} ${'x'.repeat(30)}\n`).join('')
  const w = await open({ 'big.txt': big })
  await w.edit('big.txt')
  await w.ask('replace "row 060000" with "ROW 060000" in big.txt then replace "row 110000" with "ROW 110000" in big.txt')
  await w.letters({ A: 'staged', B: 'staged' })
  await w.edit('big.txt')
  await w.keys('Alt+BracketRight')
  await w.at('big.txt', 60_001)
  await w.shows('A: Apply')
  await w.keys('Control+Alt+KeyY')
  await w.letters({ A: 'applied', B: 'staged' })
  await w.keys('Control+KeyS')
  await w.disk('big.txt', big.replace('row 060000', 'ROW 060000'))
})

scenario('CRLF, emoji and a byte order mark stay', async (open) => {
  const text = '\uFEFFx = "😀"; y = 1\r\nz = "é"\r\ncost = "$&"\r\n'
  const w = await open({ 'a.txt': text })
  await w.proposed('replace "y = 1" with "y = 2" in a.txt then replace "cost = \\"$&\\"" with "cost = \\"$1 $& \\\\\\\\\\"\\nmore = 1" in a.txt', { A: 'staged', B: 'staged' })
  await w.palette('Galley: Commit')
  await w.letters({})
  await w.saved()
  assert.equal(fs.readFileSync(path.join(w.folder, 'a.txt'), 'utf8'), '\uFEFFx = "😀"; y = 2\r\nz = "é"\r\ncost = "$1 $& \\\\"\r\nmore = 1\r\n')
})

scenario('what the user types himself is applied, and waits again after undo', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.proposed('replace "line 5" with "five" in a.txt', { A: 'staged' })
  const typed = (text: string) =>
    w.run((vscode, text) => vscode.window.activeTextEditor.edit((b: { replace(r: unknown, t: string): void }) => b.replace(new vscode.Range(4, 0, 4, 6), text)), text)
  await w.edit('a.txt', 5)
  await typed('five')
  await w.letters({ A: 'applied' })
  await w.keys('Control+KeyZ')
  await w.letters({ A: 'staged' })
})

scenario('a closed file that changes behind the letter', async (open) => {
  const w = await open({ 'a.txt': numbers, 'b.txt': numbers })
  await w.edit('b.txt')
  await w.ask('replace "line 5" with "five" in a.txt then replace "line 9" with "nine" in a.txt')
  await w.letters({ A: 'staged', B: 'staged' })
  fs.writeFileSync(path.join(w.folder, 'a.txt'), numbers.replace('line 2.', 'LINE 2.').replace('line 9.', 'LINE 9.'))
  await w.letters({ A: 'staged', B: 'conflict' })
  await w.command('galley.apply', { change: 'A', revision: 1 })
  await w.disk('a.txt', numbers.replace('line 2.', 'LINE 2.').replace('line 9.', 'LINE 9.').replace('line 5.', 'five.'))
})

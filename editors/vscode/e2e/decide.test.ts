// What a person decides: reject, conflict, undo, commit over open and closed files, revert, files that come and go.
import fs from 'node:fs'
import path from 'node:path'
import { assert, scenario } from './scenario.ts'

const numbers = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('')
const exists = (w: { folder: string }, name: string) => fs.existsSync(path.join(w.folder, name))

scenario('accept and reject move what stands below', async (open) => {
  const w = await open({ 'a.txt': numbers, 'b.txt': numbers })
  await w.proposed('replace "line 5" with "five\\nand\\nmore" in a.txt then replace "line 20" with "twenty" in a.txt then replace "line 5" with "five" in b.txt', { A: 'staged', B: 'staged', C: 'staged' })
  await w.edit('a.txt', 5)
  await w.keys('Control+Alt+KeyY')
  await w.letters({ A: 'applied', B: 'staged', C: 'staged' })
  await w.edit('a.txt', 22)
  await w.keys('Control+Alt+KeyY')
  await w.letters({ A: 'applied', B: 'applied', C: 'staged' })
  await w.has('a.txt', numbers.replace('line 5\n', 'five\nand\nmore\n').replace('line 20\n', 'twenty\n'))
  await w.edit('b.txt', 5)
  await w.shows('C: Apply')
  await w.keys('Control+Alt+KeyN')
  await w.letters({ A: 'applied', B: 'applied', C: 'rejected' })
  await w.has('b.txt', numbers)
})

scenario('keys right behind each other each begin where the one before has led', async (open) => {
  const w = await open({ 'a.txt': numbers, 'b.txt': numbers })
  const five = ['line 5" with "five" in a.txt', 'line 20" with "twenty" in a.txt', 'line 5" with "five" in b.txt', 'line 20" with "twenty" in b.txt', 'line 28" with "eight" in b.txt']
  await w.proposed(five.map((step) => `replace "${step}`).join(' then '), { A: 'staged', B: 'staged', C: 'staged', D: 'staged', E: 'staged' })
  await w.edit('a.txt')
  const [next, apply, reject] = ['Alt+BracketRight', 'Control+Alt+KeyY', 'Control+Alt+KeyN']
  await w.keys(next, apply, next, reject) // the first of each in this window
  await w.letters({ A: 'applied', B: 'rejected', C: 'staged', D: 'staged', E: 'staged' })
  await w.keys(next, next, apply)
  await w.letters({ A: 'applied', B: 'rejected', C: 'staged', D: 'applied', E: 'staged' })
  await w.at('b.txt', 20)
  await w.edit('b.txt', 2)
  await w.keys(apply)
  await w.shows('No change on this line. "Galley: Next Change" goes to the next of 2.')
  await w.has('a.txt', numbers.replace('line 5\n', 'five\n'))
  await w.has('b.txt', numbers.replace('line 20\n', 'twenty\n'))
})

scenario('typing above keeps a letter, typing inside is a conflict, resolved by either side', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.proposed('replace "line 20" with "twenty" in a.txt then replace "line 25" with "five and twenty" in a.txt then replace "line 28" with "eight" in a.txt', { A: 'staged', B: 'staged', C: 'staged' })
  await w.edit('a.txt', 2)
  await w.type('mine\nmine\n')
  await w.edit('a.txt', 27)
  await w.keys('End')
  await w.type('!')
  await w.letters({ A: 'staged', B: 'conflict', C: 'staged' })
  await w.edit('a.txt', 22)
  await w.keys('Control+Alt+KeyY')
  await w.letters({ A: 'applied', B: 'conflict', C: 'staged' })
  await w.edit('a.txt', 27)
  await w.palette('Galley: Keep Mine')
  await w.letters({ A: 'applied', B: 'rejected', C: 'staged' })
  await w.edit('a.txt', 30)
  await w.keys('End')
  await w.type('?')
  await w.letters({ A: 'applied', B: 'rejected', C: 'conflict' })
  await w.palette("Galley: Take the Agent's")
  await w.letters({ A: 'applied', B: 'rejected', C: 'applied' })
  await w.has('a.txt', numbers.replace('line 2\n', 'mine\nmine\nline 2\n').replace('line 20\n', 'twenty\n').replace('line 25\n', 'line 25!\n').replace('line 28\n', 'eight\n'))
})

scenario('keys that come while letters are applied', async (open) => {
  const lines = Array.from({ length: 8 }, (_, i) => `line ${i + 1}.\n`)
  const w = await open({ 'a.txt': lines.join('') })
  const letters = lines.map((_, i) => String.fromCharCode(65 + i))
  await w.proposed(lines.map((line) => JSON.stringify(line.trim())).map((line) => `replace ${line} with ${line.replace('line', 'number')} in a.txt`).join(' then '), Object.fromEntries(letters.map((letter) => [letter, 'staged'])))
  // What VS Code asks of its worker between looking at an edit and making it takes as long as on a busy machine.
  await w.page.evaluate(() => {
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]) {
      setTimeout(() => (post as (...message: unknown[]) => void).apply(this, message), 200)
    } as typeof post
  })
  const keys = '\n'.repeat(4)
  for (const [i, change] of letters.entries()) {
    await w.edit('a.txt', 1)
    await Promise.all([w.command('galley.apply', { change, revision: 1 }), w.page.keyboard.type(keys, { delay: 20 * i })])
    lines[i] = `number ${i + 1}.\n`
    await w.has('a.txt', keys.repeat(i + 1) + lines.join(''))
  }
})

scenario('commit over open and closed files saves, galley.undo brings all back', async (open) => {
  const files = { 'a.txt': numbers, 'b.txt': numbers, 'c.txt': numbers }
  const w = await open(files)
  await w.edit('a.txt')
  await w.edit('b.txt')
  await w.ask('replace "line 5" with "five" in a.txt then replace "line 5" with "five" in b.txt then replace "line 5" with "five" in c.txt')
  await w.letters({ A: 'staged', B: 'staged', C: 'staged' })
  await w.palette('Galley: Commit')
  for (const name of Object.keys(files)) await w.disk(name, numbers.replace('line 5\n', 'five\n'))
  await w.letters({})
  await w.saved()
  await w.palette('Galley: Undo the Last Decision')
  await w.letters({ A: 'staged', B: 'staged', C: 'staged' })
  for (const name of Object.keys(files)) await w.has(name, numbers)
  await w.disk('c.txt', numbers)
})

scenario('a revert asks, and leaves no trace', async (open) => {
  const w = await open({ 'a.txt': numbers })
  await w.proposed('replace "line 5" with "five" in a.txt then replace "line 6" with "six" in a.txt', { A: 'staged', B: 'staged' })
  const before = fs.statSync(path.join(w.folder, 'a.txt'), { bigint: true }).mtimeNs
  await w.palette('Galley: Revert')
  await w.page.locator('.monaco-dialog-box').waitFor()
  await w.keys('Enter')
  await w.letters({})
  await w.saved()
  await w.has('a.txt', numbers)
  assert.equal(fs.statSync(path.join(w.folder, 'a.txt'), { bigint: true }).mtimeNs, before, 'the file was not touched')
})

scenario('files come, go and are renamed', async (open) => {
  const w = await open({ 'old.txt': 'one\n', 'gone.txt': 'two\n', 'a.txt': numbers })
  await w.proposed('create p/q/new.txt with "new\\n" then delete gone.txt then rename old.txt to r/fresh.txt', { A: 'staged', B: 'staged', C: 'staged' })
  assert.ok(!exists(w, 'p') && exists(w, 'gone.txt') && exists(w, 'old.txt'), 'nothing happened yet')
  await w.palette('Galley: Commit')
  await w.disk('p/q/new.txt', 'new\n')
  await w.disk('r/fresh.txt', 'one\n')
  await w.letters({})
  assert.ok(!exists(w, 'gone.txt') && !exists(w, 'old.txt'))
  await w.saved()
  await w.palette('Galley: Undo the Last Decision')
  await w.letters({ A: 'staged', B: 'staged', C: 'staged' })
  await w.disk('gone.txt', 'two\n')
  await w.disk('old.txt', 'one\n')
  assert.ok(!exists(w, 'p'), 'the folders went, too')
})

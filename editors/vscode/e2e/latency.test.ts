// Typing beside 26 letters takes as long as beside none.
import { assert, scenario } from './scenario.ts'
import type { Window } from './vscode.ts'

const letters = 26
const text = Array.from({ length: 200 }, (_, i) => `line ${i + 1}.\n`).join('')

/** typing is the median time from a key to the next frame that shows it, in ms. */
async function typing(w: Window): Promise<number> {
  await w.edit('a.txt', 3)
  await w.page.evaluate(() => {
    const g = globalThis as unknown as { times: number[]; began: number }
    g.times = []
    document.addEventListener('keydown', () => (g.began = performance.now()), true)
    new MutationObserver(() => {
      if (g.began) g.times.push(performance.now() - g.began)
      g.began = 0
    }).observe(document.querySelector('.editor-instance .view-lines')!, { childList: true, subtree: true, characterData: true })
  })
  const typed = 'The quick brown fox jumps over the lazy dog, and types on and on and on. '
  await w.page.keyboard.type(typed, { delay: 60 }) // faster than anybody types, and slow enough for each key to get a frame of its own
  const times = await w.page.evaluate(() => (globalThis as unknown as { times: number[] }).times)
  assert.ok(times.length > 0.9 * typed.length, `${times.length} of ${typed.length} keys were seen`)
  return times.sort((a, b) => a - b)[times.length >> 1]!
}

scenario('typing latency', async (open) => {
  const none = await open({ 'a.txt': text })
  const many = await open({ 'a.txt': text }, { 'galley.show.conversation': false })
  await many.edit('a.txt')
  await many.ask(Array.from({ length: letters }, (_, i) => `replace "line ${7 * i + 9}." with "number ${7 * i + 9}." in a.txt`).join(' then '))
  await many.letters(Object.fromEntries(Array.from({ length: letters }, (_, i) => [String.fromCharCode(65 + i), 'staged'])))
  await many.command('notifications.clearAll')
  // The machine may be busy in a round: the best of each counts.
  const best = { without: Infinity, beside: Infinity }
  for (let round = 0; round < 4; round++) {
    best.without = Math.min(best.without, await typing(none))
    best.beside = Math.min(best.beside, await typing(many))
  }
  const ratio = best.beside / best.without
  console.log(`a key takes ${best.without.toFixed(1)} ms without letters, ${best.beside.toFixed(1)} ms beside ${letters}: ratio ${ratio.toFixed(2)}, at most 1.3`)
  assert.ok(ratio <= 1.3, `ratio ${ratio}`)
})

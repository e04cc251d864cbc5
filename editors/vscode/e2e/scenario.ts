// A test in VS Code.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ended, patience, Window } from './vscode.ts'

after(ended)

/** scenario is a test with windows of its own: what went wrong is on a picture. */
export function scenario(name: string, play: (open: typeof Window.open) => Promise<void>) {
  test(name, { timeout: 6 * patience }, async () => {
    try {
      await play(Window.open)
    } catch (e) {
      for (const [i, w] of Window.all.entries()) await w.picture(`failed ${name}${i || ''}`).catch(() => {})
      throw e
    } finally {
      for (const w of Window.all.splice(0)) await w.close().catch(() => {})
    }
  })
}

export { assert }

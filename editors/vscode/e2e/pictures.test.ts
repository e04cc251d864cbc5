// The pictures of README.md, docs/vscode.md and the walkthrough: what a person sees on the demo's way. They come into
// .cache/vscode-pictures under their names; look at them, and copy them to editors/vscode/images.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { scenario } from './scenario.ts'
import { root } from './vscode.ts'

const client = 'internal/client/client.go'

scenario('pictures', async (open) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'galley-pictures-'))
  try {
    const shop = path.join(dir, 'shop')
    fs.cpSync(path.join(root, 'testdata/demo'), shop, { recursive: true })
    const w = await open(shop)
    await w.edit(client)
    const first = `replace "Retries = 3" with "Retries = 5" in ${client}`
    await w.keys('Control+Alt+KeyG')
    await w.page.locator('.quick-input-widget input[type=text]').waitFor()
    await w.type(first)
    await w.page.locator('.quick-input-list .monaco-list-row', { hasText: first }).waitFor()
    await w.picture('ask')
    await w.keys('Enter')
    await w.letters({ A: 'staged' })
    await w.command('workbench.view.extension.galley')
    await w.edit(client)
    await w.ask(
      `replace "pause = 200" with "pause = 500" in ${client} because "five quick retries are too many"` +
        ' then replace "up to 3 times" with "up to 5 times" in docs/guide.md' +
        ' then append "The wait never outlasts the context\'s deadline.\\n" to docs/guide.md after "## Retries"',
    )
    await w.letters({ A: 'staged', B: 'staged', C: 'staged', D: 'staged' })
    await w.shows(/^five quick retries are too many$/)
    await w.shows(/4 changes wait/)
    await w.command('notifications.clearAll')
    await w.command('workbench.action.closeSidebar')
    await w.edit(client, 15)
    await w.picture('conversation')

    await w.page.locator('.tab', { hasText: 'Galley Conversation' }).click({ button: 'middle' })
    await w.command('workbench.view.extension.galley')
    await w.edit(client)
    await w.keys('Alt+BracketRight')
    await w.at(client, 12)
    await w.picture('changes')

    await w.command('galley.review')
    await w.until('the review is open', (vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('(2 files)'))
    await w.page.locator('.multiDiffEntry .modified .view-line', { hasText: 'outlasts' }).waitFor()
    await w.page.waitForFunction(() => !document.querySelector('.progress-badge, .monaco-progress-container.active')) // no view is busy any more
    await w.picture('review')
  } finally {
    fs.rmSync(dir, { recursive: true, force: true })
  }
})

// The pictures of docs/vscode.md: what a person sees on the demo's way. They come into .cache/vscode-pictures; copy them.
import fs from 'node:fs'
import path from 'node:path'
import { scenario } from './scenario.ts'
import { root, type Files } from './vscode.ts'

const demo: Files = {}
for (const name of fs.readdirSync(path.join(root, 'testdata/demo'), { recursive: true, encoding: 'utf8' })) {
  const file = path.join(root, 'testdata/demo', name)
  if (fs.statSync(file).isFile()) demo[name] = fs.readFileSync(file)
}

scenario('pictures', async (open) => {
  const w = await open(demo)
  await w.edit('internal/client/client.go')
  await w.ask(
    'replace "const defaultRetries = 3" with "const defaultRetries = 5" in internal/client/client.go' +
      ' then replace "pause = 200" with "pause = 500" in internal/client/client.go because "five quick retries are too many"' +
      ' then replace "up to 3 times" with "up to 5 times" in docs/guide.md' +
      ' then append "The wait never outlasts the context\'s deadline.\\n" to docs/guide.md after "## Retries"',
  )
  await w.letters({ A: 'staged', B: 'staged', C: 'staged', D: 'staged' })
  await w.shows('five quick retries are too many')
  await w.picture('asked')

  await w.command('notifications.clearAll')
  await w.command('workbench.action.closePanel')
  await w.command('workbench.view.extension.galley')
  await w.edit('internal/client/client.go')
  await w.keys('Alt+BracketRight')
  await w.at('internal/client/client.go', 12)
  await w.picture('review')

  await w.command('galley.review')
  await w.until('the review is open', (vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('(2 files)'))
  await w.picture('all')
})

// The whole walk, as a person goes it: by the keyboard.
import { assert, scenario } from './vscode.ts'

const files = {
  'config.yaml': 'name: shop\ntimeout: 30\nretries: 3\n',
  'notes.md': '# Notes\n\nWe wait 30 seconds.\nThree retries are enough.\n',
}

scenario('walk', async (open) => {
  const w = await open(files)
  await w.edit('config.yaml')
  await w.picture('smoke')
  assert.equal(await w.text('config.yaml'), files['config.yaml'])
})

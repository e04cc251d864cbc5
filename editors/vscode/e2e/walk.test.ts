// The whole walk, as a person goes it: by the keyboard.
import { assert, scenario } from './scenario.ts'

const files = {
  'config.yaml': 'name: shop\ntimeout: 30\nretries: 3\n',
  'notes.md': '# Notes\n\nWe wait 30 seconds.\nThree retries are enough.\n',
}

scenario('walk', async (open) => {
  const w = await open(files, { 'comments.openView': 'firstFile' }) // VS Code's own
  await w.edit('config.yaml')
  await w.ask(
    'replace "timeout: 30" with "timeout: 60" in config.yaml' +
      ' then replace "retries: 3" with "retries: 5" in config.yaml because "networks are slow"' +
      ' then replace "30 seconds" with "60 seconds" in notes.md' +
      ' then append "See config.yaml.\\n" to notes.md',
  )
  await w.letters({ A: 'staged', B: 'staged', C: 'staged', D: 'staged' })
  await w.shows(/^networks are slow$/) // below the letter, not in the question
  assert.equal(await w.text('config.yaml'), files['config.yaml'], 'nothing is in the text')

  await w.keys('Alt+BracketRight', 'Control+Alt+KeyY')
  await w.letters({ A: 'applied', B: 'staged', C: 'staged', D: 'staged' })
  await w.has('config.yaml', 'name: shop\ntimeout: 60\nretries: 3\n')
  await w.disk('config.yaml', files['config.yaml'])

  await w.keys('Control+KeyZ')
  await w.letters({ A: 'staged', B: 'staged', C: 'staged', D: 'staged' })
  await w.has('config.yaml', files['config.yaml'])
  await w.keys('Control+KeyY')
  await w.letters({ A: 'applied', B: 'staged', C: 'staged', D: 'staged' })

  await w.keys('Alt+BracketRight')
  await w.at('config.yaml', 3)
  await w.keys('Control+Alt+KeyN')
  await w.letters({ A: 'applied', B: 'rejected', C: 'staged', D: 'staged' })
  await w.keys('Alt+BracketRight')
  await w.at('notes.md', 3)

  await w.palette('Galley: Commit')
  await w.letters({})
  await w.disk('notes.md', '# Notes\n\nWe wait 60 seconds.\nThree retries are enough.\nSee config.yaml.\n')
  await w.disk('config.yaml', files['config.yaml']) // it was changed before the commit: saving it is the user's
  await w.edit('config.yaml')
  await w.keys('Control+KeyS')
  await w.disk('config.yaml', 'name: shop\ntimeout: 60\nretries: 3\n')
  await w.saved()
})

// What goes to the agent and comes from it: commands, remarks, comments in the text, and a folder that is not trusted.
import fs from 'node:fs'
import path from 'node:path'
import { Model, type Reply } from './model.ts'
import { assert, scenario } from './scenario.ts'
import { until, Window } from './vscode.ts'

const numbers = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('')

/** withModel plays with a model that says these replies. */
function withModel(name: string, replies: Reply[], play: (model: Model, settings: Record<string, unknown>, open: typeof Window.open) => Promise<void>) {
  scenario(name, async (open) => {
    const model = new Model([...replies])
    try {
      await play(model, await model.settings(), open)
    } finally {
      model.end()
    }
  })
}

const command = `printf ran > ran.txt; : ${'a long command '.repeat(20)}end`
const call = { tool: 'run_command', args: { command } }
const dialog = '.monaco-dialog-box'

withModel('a command of the agent runs when the user says so, and else not', [call, 'It was not to be.', call, 'It ran.'], async (model, settings, open) => {
  const w = await open({ 'a.txt': numbers }, { ...settings, 'galley.tools.run_command': 'ask', 'galley.show.conversation': false })
  const ran = path.join(w.folder, 'ran.txt')
  const box = w.page.locator(dialog)
  await w.edit('a.txt')
  await w.ask('run it')
  await box.waitFor()
  assert.ok((await box.innerText()).includes(command.trim()), 'the whole command is shown')
  await w.keys('Escape')
  await until('the model hears the no', () => model.asked.length, (n) => n === 2)
  assert.ok(!fs.existsSync(ran), 'it did not run')
  await w.edit('a.txt')
  await w.ask('run it now')
  await box.waitFor()
  await box.getByRole('button', { name: 'Run', exact: true }).click()
  await until('it ran', () => fs.existsSync(ran))
  await until('the model hears of it', () => model.asked.length, (n) => n === 4)
})


const replace = { tool: 'memory_notebook_replace', args: { path: 'a.txt', old_text: 'line 5', new_text: 'five' } }

const astray = { tool: 'memory_notebook_replace', args: { path: 'a.txt', old_text: 'line 99', new_text: 'x' } }

withModel('what a tool refuses, and what the server of the model says, is told', [astray, 'There is no such line.', { status: 401, error: 'this key is not known' }], async (model, settings, open) => {
  const w = await open({ 'a.txt': numbers }, settings)
  await w.edit('a.txt')
  await w.ask('change line 99')
  const said = () => w.run((vscode) => vscode.workspace.textDocuments.find((d: { languageId: string }) => d.languageId === 'galley-conversation')?.getText())
  await until('the refusal is in the conversation', said, (text) => /– not found in a\.txt/.test(text) && text.includes('There is no such line.'))
  assert.ok(model.asked[1]!.includes('line 99'), 'the model hears it, too')
  await w.letters({})
  await w.edit('a.txt')
  await w.ask('go on')
  await w.shows(/^The run failed: .*this key is not known/)
  await until('the failure is in the conversation', said, (text) => text.includes('✗ failed'))
})

withModel('a remark is sent now', [replace, 'It waits.', 'I heard it.'], async (model, settings, open) => {
  const w = await open({ 'a.txt': numbers }, { ...settings, 'galley.show.conversation': false })
  await w.proposed('five', { A: 'staged' })
  await w.shows('It waits.') // the run is over
  await w.edit('a.txt', 5)
  await w.palette('Galley: Comment on Change')
  await w.answers('in words please')
  await w.page.getByRole('button', { name: 'Send Now' }).click()
  await until('the model has the remark', () => model.asked.join(), (asked) => asked.includes('in words please'))
  await w.letters({ A: 'staged' })
})

scenario('a comment that begins with galley: is asked, and goes with the edit', async (open) => {
  const w = await open({ 'a.yaml': `# galley: replace "x: 1" with "x: 2" in a.yaml\nx: 1\n` }, { 'galley.show.conversation': false })
  await w.edit('a.yaml')
  await w.keys('Control+Period')
  await w.shows(/Ask galley to/)
  await w.keys('Enter')
  await w.letters({ A: 'staged', B: 'staged' })
  await w.palette('Galley: Commit')
  await w.letters({})
  await w.disk('a.yaml', 'x: 2\n')
})

withModel('a folder that is not trusted chooses no model and runs no command, until it is trusted', [call, 'It ran.'], async (model, settings, open) => {
  await Window.trust(true)
  try {
    const w = await open({ 'a.txt': numbers }, { ...settings, 'galley.tools.run_command': 'allow' })
    assert.equal(await w.run((vscode) => vscode.workspace.isTrusted), false)
    await w.edit('a.txt')
    await w.ask('replace "line 5" with "five" in a.txt')
    await w.letters({ A: 'staged' }) // by the offline model
    assert.deepEqual(model.asked, [])
    await w.edit('a.txt', 5)
    await w.shows('A: Apply')
    await w.keys('Control+Alt+KeyY')
    await w.has('a.txt', numbers.replace('line 5\n', 'five\n'))

    const own = () => w.programs().filter((p) => p.own)
    const [before] = own()
    await w.command('workbench.trust.manage')
    await w.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click()
    await until('another server runs', own, (found) => found.length === 1 && found[0]!.pid !== before!.pid)
    await w.letters({ A: 'applied' })
    await w.edit('a.txt')
    await w.ask('run it')
    await w.shows('It ran.')
    assert.ok(fs.existsSync(path.join(w.folder, 'ran.txt')), 'the command ran, and nobody was asked')
  } finally {
    await Window.trust(false)
  }
})

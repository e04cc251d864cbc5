// The real VS Code, headless: one code-server and one browser for all tests, a window for each. What a person does goes
// by the keyboard of the page; what is to be known or set comes from the helper extension, which runs functions with the
// whole API of VS Code in a window's extension host.
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { chromium, type Browser, type Page } from 'playwright-core'

const here = import.meta.dirname
export const root = path.join(here, '../../..')
const cache = path.join(root, '.cache/vscode')
export const patience = Number(process.env['E2E_PATIENCE'] ?? 30_000)

/** Files are the texts of a workspace, by name. */
export type Files = Record<string, string | Buffer>

/** API is what functions that run in a window get: VS Code's own, not typed here. */
// biome-ignore lint: the tests have no types of VS Code
type API = any

interface Link {
  folder: string
  pid: number
  socket: net.Socket
  answers: Map<number, (answer: { result?: unknown; error?: string }) => void>
  gone: Promise<void>
}

/** until polls, and fails with what it saw last. */
export async function until<T>(what: string, look: () => Promise<T> | T, enough: (seen: T) => unknown = (seen) => seen, wait = patience): Promise<T> {
  const end = Date.now() + wait
  for (let last: unknown; ; ) {
    try {
      const seen = await look()
      if (enough(seen)) return seen
      last = seen
    } catch (e) {
      last = e
    }
    if (Date.now() > end) throw new Error(`waited in vain until ${what}; last: ${last instanceof Error ? last.stack : JSON.stringify(last, null, 1)}`)
    await new Promise((done) => setTimeout(done, 25))
  }
}

/** Code is a code-server with the extension. */
export class Code {
  readonly dir = fs.mkdtempSync(path.join(os.tmpdir(), 'galley-vscode-'))
  readonly home = path.join(this.dir, 'galley')
  readonly links: Link[] = []
  settings = '' // the user's file
  private server!: ChildProcess
  private listener!: net.Server
  private listens = ''
  private log = ''
  private calls = 0

  async start() {
    const socket = path.join(this.dir, 'socket')
    this.listener = net.createServer((s) => this.meet(s)).listen(socket)
    const extensions = path.join(this.dir, 'extensions')
    fs.mkdirSync(extensions)
    fs.cpSync(path.join(here, 'helper'), path.join(extensions, 'galley-e2e.helper-0.0.1'), { recursive: true })
    const extension = process.env['EXTENSION'] ?? path.join(here, '..')
    const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'))
    const installed = path.join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`)
    for (const part of ['package.json', 'dist', 'images', 'conversation.tmLanguage.json']) fs.cpSync(path.join(extension, part), path.join(installed, part), { recursive: true })

    const user = path.join(this.dir, 'user')
    fs.mkdirSync(path.join(user, 'User'), { recursive: true })
    this.settings = path.join(user, 'User/settings.json')
    fs.writeFileSync(this.settings, JSON.stringify(settings))
    // VS Code takes its environment from a login shell.
    fs.writeFileSync(path.join(this.dir, '.profile'), `PATH='${path.join(root, 'bin')}':$PATH\n`)
    const env = { ...process.env }
    for (const name of Object.keys(env)) if (/^(GALLEY|VSCODE|XDG|NODE)_/.test(name)) delete env[name]
    this.server = spawn(
      process.env['VSCODE']!,
      ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--user-data-dir', user, '--extensions-dir', extensions, '--config', path.join(this.dir, 'config.yaml')].concat(
        ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ),
      {
        env: { ...env, HOME: this.dir, GALLEY_HOME: this.home, E2E_SOCKET: socket, SHELL: '/bin/bash' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const pipe of [this.server.stdout, this.server.stderr]) pipe!.on('data', (d) => (this.log += d))
    await until('code-server listens', () => (this.listens = /HTTP server listening on (\S+?)\/?$/m.exec(this.log)?.[1] ?? '')).catch((e) => {
      throw new Error(`${e.message}\n${this.log}`)
    })
  }

  /** url shows a folder, or a workspace of several. */
  url(shown: string): string {
    return `${this.listens}/?${shown.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(shown)}`
  }

  private meet(socket: net.Socket) {
    let link: Link | undefined
    const gone = new Promise<void>((done) => socket.on('close', () => done()))
    socket.on('error', () => {})
    readline.createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line)
      if (link) {
        link.answers.get(message.id)?.(message)
        link.answers.delete(message.id)
      } else this.links.push((link = { ...message, socket, answers: new Map(), gone }))
    })
    void gone.then(() => {
      for (const answer of link?.answers.values() ?? []) answer({ error: 'the window went away' })
    })
  }

  /** run runs a function in a window's extension host: it gets VS Code's API and an argument, and sees nothing of the test. */
  run<T, A>(link: Link, f: (vscode: API, arg: A) => T | Promise<T>, arg?: A): Promise<T> {
    const id = ++this.calls
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const deadline = setTimeout(() => reject(new Error(`no answer to ${f}`)), patience)
    link.answers.set(id, ({ result, error }) => {
      clearTimeout(deadline)
      if (error === undefined) resolve(result as T)
      else reject(new Error(error))
    })
    link.socket.write(JSON.stringify({ id, code: f.toString(), arg }) + '\n')
    return promise
  }

  async end() {
    if (this.server && this.server.exitCode === null) {
      const ended = new Promise((done) => this.server.on('exit', done))
      this.server.kill()
      await ended
    }
    this.listener?.close()
    if (process.env['KEEP']) console.log(`kept: ${this.dir}`)
    else await until('the folder is gone', () => (fs.rmSync(this.dir, { recursive: true, force: true }), true))
  }
}

const settings = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Light Modern',
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never', // where it is enabled, the folder is not trusted
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'comments.openView': 'never', // the windows are small
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'editor.quickSuggestions': false, // Enter and Tab would take one that happens to be there
  'git.enabled': false,
  'window.menuBarVisibility': 'compact',
  'workbench.reduceMotion': 'on',
}

let code: Code | undefined
let browser: Browser | undefined

/** started starts code-server and the browser, once for all tests. */
async function started(): Promise<Code> {
  if (code) return code
  code = new Code()
  const launched = chromium.launch({
    executablePath: path.join(cache, 'chromium/chromium'),
    env: { ...process.env, LD_LIBRARY_PATH: path.join(cache, 'chromium/lib') } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  await code.start()
  browser = await launched
  return code
}

/** ended ends what was started. */
export async function ended() {
  await browser?.close()
  await code?.end()
}

/** Window is a window of VS Code on a workspace of its own. */
export class Window {
  /** all are the windows of the scenario. */
  static all: Window[] = []
  link!: Link
  page!: Page
  readonly folder: string
  private readonly code: Code

  private constructor(code: Code, folder: string) {
    this.code = code
    this.folder = folder
  }

  /** open shows a folder, or one of these files and beside it one of others, and is there when galley serves it. */
  static async open(files: Files | string, settings: Record<string, unknown> = {}, beside?: Files): Promise<Window> {
    const code = await started()
    const made = (files: Files) => {
      const folder = fs.mkdtempSync(path.join(code.dir, 'work-'))
      for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
        fs.writeFileSync(path.join(folder, name), text)
      }
      return folder
    }
    const own = Object.keys(settings).length ? { '.vscode/settings.json': JSON.stringify(settings) } : {}
    const w = new Window(code, typeof files === 'string' ? files : made({ ...files, ...own }))
    let shown = w.folder
    if (beside) {
      shown += '.code-workspace'
      fs.writeFileSync(shown, JSON.stringify({ folders: [{ path: w.folder }, { path: made(beside) }] }))
    }
    Window.all.push(w)
    await w.meets(async () => {
      const context = await browser!.newContext({ viewport: { width: 1280, height: 800 } })
      w.page = await context.newPage()
      await w.page.goto(code.url(shown))
    })
    return w
  }

  /** meets does something that brings up an extension host, and waits for it and for galley. */
  async meets(action: () => Promise<void>) {
    const from = this.code.links.length
    await action()
    this.link = (await until('the window has an extension host', () => this.code.links.slice(from).find((l) => l.folder === this.folder)))!
    await this.until('galley serves', (vscode) => vscode.extensions.getExtension('galley-ls.galley')?.exports?.changes().seq >= 0)
  }

  /** run runs a function in the extension host: it gets VS Code's API and an argument, and sees nothing of the test. */
  run<T, A>(f: (vscode: API, arg: A) => T | Promise<T>, arg?: A): Promise<T> {
    return this.code.run(this.link, f, arg)
  }

  /** until waits until a function in the extension host gives something true. */
  until<T, A>(what: string, f: (vscode: API, arg: A) => T | Promise<T>, arg?: A): Promise<T> {
    return until(what, () => this.run(f, arg))
  }

  /** trust turns the question of trust on, for windows that come, or off. */
  static async trust(on: boolean) {
    const file = (await started()).settings
    fs.writeFileSync(file, JSON.stringify({ ...settings, 'security.workspace.trust.enabled': on }))
  }

  /** command runs a command of VS Code. */
  command<T>(name: string, ...args: unknown[]): Promise<T> {
    return this.run((vscode, [name, args]) => vscode.commands.executeCommand(name, ...args), [name, args] as const)
  }

  /** keys presses keys, named as Playwright names them. */
  async keys(...names: string[]) {
    for (const name of names) await this.page.keyboard.press(name)
  }

  /** type types as a person does. */
  async type(text: string) {
    await this.page.keyboard.type(text)
  }

  /** edit shows a file, and is there when the keyboard goes to it. */
  async edit(name: string, line = 1) {
    await this.run(
      async (vscode, [file, line]) => {
        const at = new vscode.Position(line - 1, 0)
        await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at), preview: false })
      },
      [path.join(this.folder, name), line] as const,
    )
    await this.page.waitForFunction(() => document.activeElement?.closest('.monaco-editor .native-edit-context, .monaco-editor') !== null, null, { timeout: patience })
  }

  /** at waits for the cursor to be on a line of a file. */
  async at(name: string, line: number) {
    await until(
      `the cursor is in line ${line} of ${name}`,
      () =>
        this.run((vscode) => {
          const editor = vscode.window.activeTextEditor
          return editor && `${vscode.workspace.asRelativePath(editor.document.uri)}:${editor.selection.active.line + 1}`
        }),
      (seen) => seen === `${name}:${line}`,
    )
  }

  /** palette runs a command by its name in the command palette. */
  async palette(title: string) {
    await this.keys('F1')
    const input = this.page.locator('.quick-input-widget input[type=text]')
    await input.waitFor()
    await this.type(title)
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor({ timeout: patience })
    await this.keys('Enter')
  }

  /** proposed asks from a.txt, and is there when the letters stand so. */
  async proposed(prompt: string, letters: Record<string, string>) {
    await this.edit('a.txt')
    await this.ask(prompt)
    await this.letters(letters)
  }

  /** answers fills the input box that is open. */
  async answers(text: string) {
    const box = this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type=text]')
    await box.waitFor({ timeout: patience })
    await this.page.keyboard.insertText(text) // at once, as it comes from a clipboard
    await this.keys('Enter')
    await box.waitFor({ state: 'hidden', timeout: patience }) // the keyboard goes to the editor again
  }

  /** ask asks the agent by the keyboard and waits until it is done. */
  async ask(prompt: string) {
    await this.keys('Control+Alt+KeyG')
    await this.answers(prompt)
  }

  /** letters waits until the letters stand as given, in every open editing session. */
  async letters(want: Record<string, string>) {
    const sorted = JSON.stringify(Object.entries(want).sort())
    await until(
      `the letters are ${JSON.stringify(want)}`,
      () =>
        this.run((vscode) => {
          const said = vscode.extensions.getExtension('galley-ls.galley').exports.changes()
          const of: Record<string, string> = {}
          for (const file of said?.files ?? []) for (const change of file.changes) of[change.change] = change.state
          return of
        }),
      (seen) => JSON.stringify(Object.entries(seen).sort()) === sorted,
    )
    await this.command('setContext', 'galley.seen', true) // comes behind what the extension told the window, on which keys depend
  }

  /** text is the text of a document as VS Code has it. */
  text(name: string): Promise<string> {
    return this.run(async (vscode, file) => (await vscode.workspace.openTextDocument(vscode.Uri.file(file))).getText(), path.join(this.folder, name))
  }

  /** has waits for the text of a document. */
  async has(name: string, want: string) {
    await until(`${name} has the text`, () => this.text(name), (text) => text === want)
  }

  /** disk waits for the text of a file. */
  async disk(name: string, want: string) {
    await until(`${name} on the disk is right`, () => fs.readFileSync(path.join(this.folder, name), 'utf8'), (text) => text === want)
  }

  /** saved waits until no document is dirty. */
  async saved() {
    await until(
      'all is saved',
      () => this.run((vscode) => vscode.workspace.textDocuments.filter((d: API) => d.isDirty).map((d: API) => d.fileName)),
      (dirty) => dirty.length === 0,
    )
  }

  /** shows waits for a text on the screen. */
  async shows(text: string | RegExp) {
    await this.page.getByText(text).first().waitFor({ timeout: patience })
  }

  /** picture keeps the screen as a PNG. */
  async picture(name: string) {
    const dir = path.join(root, '.cache/vscode-pictures')
    fs.mkdirSync(dir, { recursive: true })
    await this.page.screenshot({ path: path.join(dir, `${name}.png`), animations: 'disabled', caret: 'initial' })
  }

  /** programs are the process ids of galley's that run for this code-server, and whether they are the window's own server. */
  programs(): { pid: number; own: boolean }[] {
    return fs.readdirSync('/proc').flatMap((pid) => {
      try {
        const [stat, environ, exe] = [fs.readFileSync(`/proc/${pid}/stat`, 'utf8'), fs.readFileSync(`/proc/${pid}/environ`, 'utf8'), fs.readlinkSync(`/proc/${pid}/exe`)]
        if (!exe.endsWith('/galley') || !environ.includes(`GALLEY_HOME=${this.code.home}\0`)) return []
        return [{ pid: Number(pid), own: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === this.link.pid }]
      } catch {
        return [] // no process, or one that has ended
      }
    })
  }

  /** close closes the window. Its extension host would wait for hours for the page to come back. */
  async close() {
    await this.page.context().close()
    if (!this.link) return
    process.kill(this.link.pid)
    await this.link.gone
  }
}

// The tests' own extension: each window calls the socket of the test and runs the functions that come back over it.
const net = require('node:net')
const readline = require('node:readline')
const vscode = require('vscode')

exports.activate = () => {
  const socket = net.connect(process.env.E2E_SOCKET)
  const say = (message) => socket.write(JSON.stringify(message) + '\n')
  socket.on('error', () => {}) // the test has ended
  say({ folder: vscode.workspace.workspaceFolders?.[0].uri.fsPath ?? '', pid: process.pid })
  readline.createInterface({ input: socket }).on('line', async (line) => {
    const { id, code, arg } = JSON.parse(line)
    try {
      say({ id, result: (await (0, eval)(`(${code})`)(vscode, arg)) ?? null })
    } catch (e) {
      say({ id, error: String(e?.stack ?? e) })
    }
  })
}

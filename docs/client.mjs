// A whole client in 100 lines that knows only LSP: node docs/client.mjs [NEW-FOLDER]
// It asks, looks, applies A, rejects B, commits the rest and reverts another edit. docs/protocol.md explains each step.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "galley-client-"));
const server = spawn(process.env.GALLEY ?? "galley", ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
server.on("error", (e) => { throw new Error(`galley could not be started: ${e.message}; set GALLEY to its path`); });
server.on("exit", (code) => { process.exitCode = code ?? 1; });

// The wire: a header, an empty line, a body of that many bytes.
let received = Buffer.alloc(0), lastID = 0;
const answers = new Map();
const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
  server.stdin.write(body);
};
const request = (method, params) => new Promise((resolve, reject) => {
  answers.set(++lastID, { resolve, reject });
  send({ id: lastID, method, params });
});
server.stdout.on("data", (data) => {
  received = Buffer.concat([received, data]);
  for (let head; (head = received.indexOf("\r\n\r\n")) >= 0;) {
    const end = head + 4 + Number(/Content-Length: *(\d+)/i.exec(received.toString("latin1", 0, head))[1]);
    if (received.length < end) return;
    const message = JSON.parse(received.toString("utf8", head + 4, end));
    received = received.subarray(end);
    if (message.method) heard(message);
    else if (message.error) answers.get(message.id).reject(new Error(message.error.message));
    else answers.get(message.id).resolve(message.result);
  }
});

// The editor: one open document, and what is shown of galley.
const uri = (name) => pathToFileURL(join(folder, name)).href;
const open = { uri: uri("limits.txt"), languageId: "plaintext", version: 1, text: "💤 timeout: 30\nretries: 3\ndebug: true\n" };
writeFileSync(join(folder, "limits.txt"), open.text, { flag: "wx" });
writeFileSync(join(folder, "notes.txt"), "We wait 30 seconds.\n", { flag: "wx" });
const shown = new Map(); // letter -> { uri, diagnostic }
let proposal = ""; // the sentence that tells of an edit; others may come before it
const waiting = []; // [condition, resolve]
const offset = ({ line, character }) => open.text.split("\n").slice(0, line).join("\n").length + (line > 0) + character;
function heard({ id, method, params }) {
  let result = null;
  if (method === "textDocument/publishDiagnostics") {
    for (const [letter, s] of shown) if (s.uri === params.uri) shown.delete(letter);
    for (const d of params.diagnostics) if (d.source === "galley") shown.set(d.code, { uri: params.uri, diagnostic: d });
  } else if (method === "workspace/applyEdit") {
    const { textDocument, edits } = params.edit.documentChanges[0];
    result = { applied: textDocument.uri === open.uri && textDocument.version === open.version };
    if (result.applied) edit(edits);
  } else if (method === "window/showMessage" && params.message.startsWith("galley proposes")) proposal = params.message;
  if (id !== undefined) send({ id, result });
  for (const [i, [condition, resolve]] of [...waiting.entries()].reverse()) if (condition()) (waiting.splice(i, 1), resolve());
}
function edit(edits) { // from the last to the first, so that the offsets hold
  const places = edits.map((e) => [offset(e.range.start), offset(e.range.end), e.newText]).sort((a, b) => b[0] - a[0]);
  for (const [start, end, text] of places) open.text = open.text.slice(0, start) + text + open.text.slice(end);
  open.version++;
  send({ method: "textDocument/didChange", params: { textDocument: { uri: open.uri, version: open.version }, contentChanges: [{ text: open.text }] } });
}
const until = (condition) => condition() ? undefined : new Promise((resolve) => waiting.push([condition, resolve]));
const letters = () => [...shown.keys()].sort().join("");
const run = (command, argument) => request("workspace/executeCommand", { command, arguments: argument ? [argument] : [] });
const say = (...words) => console.log(...words);

// The walk.
const capabilities = { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } };
await request("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities });
send({ method: "initialized", params: {} });
send({ method: "textDocument/didOpen", params: { textDocument: open } });
await run("galley.ask", { uri: open.uri, prompt: `replace "timeout: 30" with "timeout: 60" in limits.txt because "the network is slow"
  replace "retries: 3" with "retries: 5" in limits.txt\nreplace "30 seconds" with "60 seconds" in notes.txt
  replace "debug: true" with "debug: false" in limits.txt\ncommit "longer timeouts"` });
await until(() => letters() === "ABCD" && proposal);
say(proposal);
for (const letter of letters()) say(shown.get(letter).diagnostic.message);
say("preview:\n" + (await run("galley.preview", { change: "A", format: "diff" })).text.trimEnd());
const { range } = shown.get("A").diagnostic;
const actions = await request("textDocument/codeAction", { textDocument: { uri: open.uri }, range, context: { diagnostics: [] } });
say("offered:", actions.map((a) => a.title).join(", "));
await request("workspace/executeCommand", actions.find((a) => a.title === "Apply A"));
await until(() => letters() === "BCD");
say("A is applied:", JSON.stringify(open.text));
say("B is", (await run("galley.reject", { change: "B", reason: "three are enough" })).changes[0].state);
say("commit:", (await run("galley.commit", { summary: "longer timeouts" })).status);
await until(() => letters() === ""); // the answer comes before the outcome
say("committed:", JSON.stringify(open.text), JSON.stringify(readFileSync(join(folder, "notes.txt"), "utf8")));
await run("galley.ask", { prompt: 'delete "retries: 3\\n" in limits.txt' });
await until(() => letters() === "A");
say(shown.get("A").diagnostic.message);
say("revert:", (await run("galley.revert", { reason: "it is needed" })).status);
writeFileSync(join(folder, "limits.txt"), open.text); // the editor saves what it has open
await request("shutdown");
send({ method: "exit" });

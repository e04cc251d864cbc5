// A server with the API of OpenAI that says what the test wants.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Reply is what comes of a request: a call of a tool, words, or an error of the server. */
export type Reply = { tool: string; args: unknown } | string | { status: number; error: string }

/** Model answers requests with replies in turn, and keeps the requests. */
export class Model {
  readonly asked: string[] = []
  private readonly server: http.Server

  constructor(replies: Reply[]) {
    this.server = http.createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      if (request.method !== 'POST') return void response.writeHead(404).end()
      this.asked.push(body)
      const reply = replies.shift() ?? 'Nothing more to say.'
      if (typeof reply === 'object' && 'status' in reply) return void response.writeHead(reply.status).end(JSON.stringify({ error: { message: reply.error } }))
      const called = typeof reply === 'string' ? [] : [{ id: `call${this.asked.length}`, type: 'function', function: { name: reply.tool, arguments: JSON.stringify(reply.args) } }]
      const message = { role: 'assistant', content: typeof reply === 'string' ? reply : null, ...(called.length ? { tool_calls: called } : {}) }
      const choices = [{ index: 0, message, finish_reason: called.length ? 'tool_calls' : 'stop' }]
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'test', choices, usage: { prompt_tokens: body.length >> 2, completion_tokens: 10, total_tokens: (body.length >> 2) + 10 } }))
    })
  }

  /** settings start it, and name it. */
  async settings(): Promise<Record<string, unknown>> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    const base_url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`
    return { 'galley.model.provider': 'openai', 'galley.model.base_url': base_url, 'galley.model.model': 'test', 'galley.model.profile.stream': false }
  }

  end() {
    this.server.closeAllConnections()
    this.server.close()
  }
}

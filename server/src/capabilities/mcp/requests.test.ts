import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { parseObject } from '../../testing/json.ts'
import { startTestServer, useTestServer } from '../../testing/server.ts'
import { basic, type Body, type TestUser } from '../../testing/user.ts'
import { callTool, useToolClients } from './testing/client.ts'

const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
const connect = useToolClients()
let owner: TestUser
let bob: TestUser

beforeAll(async () => {
  const organization = await server().organization('Test', { stringId: '' })
  owner = organization.owner
  bob = await organization.user('Bob')
})

interface ToolResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

async function postToTools(body: string, headers: Record<string, string> = {}): Promise<ToolResponse> {
  const response = await fetch(`${owner.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: basic(owner.email, owner.apiKey),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : parseObject(text) }
}

const protocolMessage = (method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

describe('tool requests', () => {
  it("answers one account's request before most of another account's pending searches", async () => {
    await owner.subscribe(['news'])
    for (let count = 0; count < 5; count += 1) await owner.send('news', 'a', 'x '.repeat(1_000))
    const search = protocolMessage('tools/call', { name: 'search_messages', arguments: { words: 'x' } })
    let answered = 0
    const searches = Array.from({ length: 60 }, async () => {
      const { status, body } = await postToTools(search)
      answered += 1
      expect(status).toBe(200)
      expect(body['result']).toHaveProperty('structuredContent')
    })
    await bob.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
    expect(answered).toBeLessThan(30)
    await Promise.all(searches)
  })

  it('rejects missing and wrong keys, write-only bots, and browser cookies', async () => {
    for (const authorization of [
      '',
      'Basic !',
      basic(owner.email, 'x'.repeat(32)),
      basic('nobody@example.com', owner.apiKey),
    ]) {
      const { status, headers, body } = await postToTools(protocolMessage('tools/list'), { authorization })
      expect([status, body['result'], headers.has('www-authenticate')]).toEqual([401, 'error', true])
    }
    const { user_id, api_key } = await owner.call('POST', '/bots', {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 2,
    })
    const { members } = await owner.call('GET', '/users')
    const bot = members.find((member) => member['user_id'] === user_id)
    const { body } = await postToTools(protocolMessage('tools/list'), {
      authorization: basic(String(bot?.['email']), api_key),
    })
    expect(body).toMatchObject({ result: 'error' })
    const { cookie } = await signIn(owner)
    expect(
      (await postToTools(protocolMessage('tools/list'), { authorization: '', cookie, 'sec-fetch-site': 'same-origin' }))
        .status,
    ).toBe(401)
  })

  it('rejects cross-origin requests and methods other than POST', async () => {
    expect((await postToTools(protocolMessage('tools/list'), { origin: 'https://evil.example' })).body).toMatchObject({
      code: 'CSRF_FAILED',
    })
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await fetch(`${owner.url}/mcp`, {
        method,
        headers: { authorization: basic(owner.email, owner.apiKey) },
      })
      expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it('answers invalid protocol messages with the errors that the protocol defines', async () => {
    const many = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })))
    for (const [body, code] of [
      ['{', -32_700],
      ['', -32_700],
      [`[${protocolMessage('tools/list')}]`, -32_600],
      [` ${many}`, -32_600],
      ['['.repeat(200_000), -32_600],
      ['{"a":'.repeat(50_000), -32_600],
    ] as const) {
      const answer = await postToTools(body)
      expect([body.slice(0, 20), answer.status, answer.body]).toMatchObject([
        body.slice(0, 20),
        400,
        { error: { code } },
      ])
    }
    expect((await postToTools(`\uFEFF${protocolMessage('tools/list')}`)).status).toBe(200)
    expect((await postToTools('"x"')).status).toBe(400)
    expect((await postToTools(protocolMessage('tools/list'), { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await postToTools(protocolMessage('tools/list'), { accept: 'text/html' })).status).toBe(406)
    expect((await postToTools(protocolMessage('tools/list'), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(
      400,
    )
    expect((await postToTools(`"${'x'.repeat(3 * 1024 * 1024)}"`)).body).toMatchObject({ result: 'error' })
    expect((await postToTools(protocolMessage('resources/list'))).body).toMatchObject({ error: { code: -32_601 } })
    expect(
      (await postToTools(protocolMessage('tools/call', { name: 'constructor', arguments: {} }))).body,
    ).toMatchObject({
      error: { code: -32_602 },
    })
    expect((await postToTools(protocolMessage('tools/list'))).headers.get('cache-control')).toBe('no-store')
  })

  it('rejects invalid tool arguments without changes and explains why', async () => {
    await owner.subscribe(['talk'])
    const { stream_id: id } = await owner.call('GET', '/get_stream_id', { stream: 'talk' })
    const queue = await owner.register()
    const client = await connect(owner)
    const wrong: [string, Body][] = [
      ['send_message', {}],
      ['send_message', { channel: id, topic: 'x', content: '' }],
      ['send_message', { channel: id, topic: 'x', content: 'x', more: 1 }],
      ['send_message', { channel: [id], topic: 'x', content: 'x' }],
      ['send_message', { people: [], content: 'x' }],
      ['send_message', { people: ['ann'], content: 'x' }],
      ['add_reaction', { message_id: 0, emoji: 'tada' }],
      ['add_reaction', { message_id: 1.5, emoji: 'tada' }],
      ['add_reaction', { message_id: '1', emoji: 'tada' }],
      ['read_conversation', { channel: id, limit: 101 }],
      ['read_conversation', { channel: id, limit: 0 }],
      ['search_messages', { words: '' }],
      ['list_topics', { channel: null }],
    ]
    for (const [name, given] of wrong)
      expect([name, given, await callTool(client, name, given)]).toEqual([
        name,
        given,
        expect.stringMatching(/^INVALID_ARGUMENTS: /),
      ])
    for (const [name, given] of [
      ['send_message', { channel: id, people: [owner.id], topic: 'x', content: 'x' }],
      ['send_message', { topic: 'x', content: 'x' }],
      ['read_conversation', {}],
      ['read_conversation', { channel: id, people: [owner.id] }],
      ['search_messages', { words: 'x', topic: 'x' }],
    ] as const) {
      expect(await callTool(client, name, given)).toBe('BAD_REQUEST: Specify either a channel or people.')
    }
    expect(await callTool(client, 'add_reaction', { message_id: 1, emoji: '\0' })).toMatch(
      /^REQUEST_VARIABLE_INVALID: |^BAD_REQUEST: /,
    )
    expect(await queue.events()).toEqual([])
  })
})

it("counts each tool use against the account's rate limit", async () => {
  const limited = await startTestServer({
    PARLEY_ROOT_DOMAIN: '',
    PARLEY_RATE_LIMITS: 'on',
    PARLEY_RATE_LIMIT_USER: '6/60',
  })
  try {
    const { owner: busy } = await limited.organization('Busy', { stringId: '' })
    const client = await connect(busy)
    const answers: unknown[] = []
    for (let index = 0; index < 3; index += 1) {
      answers.push(await callTool(client, 'list_channels').catch((error: unknown) => String(error)))
    }
    expect(JSON.stringify(answers)).toMatch(/rate limit/)
    expect((await busy.try('GET', '/users/me')).body).toMatchObject({ code: 'RATE_LIMIT_HIT' })
  } finally {
    await limited.close()
  }
})

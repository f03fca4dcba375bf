import { beforeAll, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { callTool, useToolClients } from '../mcp/testing/client.ts'
import { makeToken } from './testing/tokens.ts'

// MCP's own client identifies the organization only by the URL.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
const connect = useToolClients()
const OUT_OF_SCOPE_TEXT = 'INSUFFICIENT_SCOPE: This API token does not allow this request.'
const NO_SUCH_CHANNEL = 'BAD_REQUEST: No such channel, or it does not allow tools.'
let owner: TestUser
let allowedChannel: number
let otherChannel: number

beforeAll(async () => {
  owner = (await server().organization('Test', { stringId: '' })).owner
  await owner.subscribe(['here', 'elsewhere'])
  allowedChannel = (await owner.call('GET', '/get_stream_id', { stream: 'here' }))['stream_id']
  otherChannel = (await owner.call('GET', '/get_stream_id', { stream: 'elsewhere' }))['stream_id']
})

async function toolsWith(terms: Body): Promise<(name: string, given?: Body) => Promise<unknown>> {
  const { token } = await makeToken(owner, terms)
  const client = await connect(new TestUser(owner.url, owner.host, owner.email, token, owner.id))
  return async (name, given = {}) => callTool(client, name, given)
}

it('lets assistants with a write token read and write', async () => {
  const tool = await toolsWith({ is_read_only: false })
  expect(await tool('send_message', { channel: allowedChannel, topic: 'x', content: 'xylophone' })).toHaveProperty('id')
  expect(await tool('search_messages', { words: 'xylophone' })).toMatchObject({ messages: [{}] })
  expect(await tool('list_channels')).toMatchObject({ channels: [{}, {}] })
})

it('lets assistants with a read-only token only read', async () => {
  const tool = await toolsWith({})
  expect(await tool('send_message', { channel: allowedChannel, topic: 'x', content: 'x' })).toBe(OUT_OF_SCOPE_TEXT)
  expect(await tool('list_channels')).toMatchObject({ channels: [{}, {}] })
})

it('lets assistants with a channel token use only its channel', async () => {
  const tool = await toolsWith({ is_read_only: false, channel_ids: [allowedChannel] })
  expect(await tool('send_message', { channel: allowedChannel, topic: 'x', content: 'x' })).toHaveProperty('id')
  for (const channel of [otherChannel, 999_999]) {
    expect(await tool('send_message', { channel, topic: 'x', content: 'x' })).toBe(NO_SUCH_CHANNEL)
    expect(await tool('search_messages', { channel, words: 'x' })).toBe(NO_SUCH_CHANNEL)
  }
  expect(await tool('search_messages', { words: 'x' })).toBe(OUT_OF_SCOPE_TEXT)
  expect(await tool('list_channels')).toBe(OUT_OF_SCOPE_TEXT)
})

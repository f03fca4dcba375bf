import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { anyNumber, listWith, textLike } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { callTool, useToolClients } from './testing/client.ts'

// The SDK's client identifies the organization by its URL alone.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
const connect = useToolClients()
let organization: TestOrganization
let owner: TestUser

beforeAll(async () => {
  organization = await server().organization('Test', { stringId: '' })
  owner = organization.owner
})

afterEach(async () => {
  await owner.call('PATCH', '/tool_access', { access: 'channels' })
})

let createdChannels = 0

async function createChannel(
  kind: 'public' | 'private',
  people: readonly TestUser[] = [owner],
): Promise<{ id: number; name: string }> {
  createdChannels += 1
  const name = `channel ${createdChannels}`
  await owner.subscribe([name], { invite_only: kind === 'private', principals: people.map(({ id }) => id) })
  return { id: (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id'], name }
}

const SENT_MESSAGE = z.looseObject({ id: z.number() })
const CHANNEL_NOT_FOUND = 'BAD_REQUEST: No such channel, or it does not allow tools.'

describe('tools', () => {
  it('lists MCP tools with their input schemas', async () => {
    const client = await connect(owner)
    expect(client.getServerVersion()).toMatchObject({ name: 'parley' })
    expect(client.getInstructions()).toMatch(/not as instructions/)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['list_channels', true],
      ['list_topics', true],
      ['read_conversation', true],
      ['search_messages', true],
      ['send_message', false],
      ['add_reaction', false],
    ])
    expect(tools.find(({ name }) => name === 'add_reaction')?.inputSchema).toMatchObject({
      type: 'object',
      required: ['message_id', 'emoji'],
      properties: { emoji: { type: 'string' } },
    })
  })

  it('lists channels and topics and reads a topic in pages', async () => {
    const { id, name } = await createChannel('public')
    const first = await owner.send(name, 'plans', 'One *and* only')
    const second = await owner.send(name, 'plans', 'Two')
    await owner.send(name, 'other', 'Three')
    await owner.call('POST', `/messages/${second}/reactions`, { emoji_name: 'tada' })
    const client = await connect(owner)
    const listed = await callTool(client, 'list_channels')
    expect(listed).toMatchObject({
      channels: listWith([{ id, name, description: '', is_private: false }]),
    })
    expect(await callTool(client, 'list_topics', { channel: name })).toMatchObject({
      topics: [{ name: 'other' }, { name: 'plans' }],
    })
    const page = await callTool(client, 'read_conversation', { channel: id, topic: 'plans', limit: 1 })
    expect(page).toEqual({
      messages: [
        {
          id: second,
          sender: { id: owner.id, name: 'Olivia Owner' },
          sent_at: textLike(/^20.*Z$/),
          channel: { id, name },
          topic: 'plans',
          content: 'Two',
          reactions: { tada: 1 },
        },
      ],
      has_older: true,
    })
    const rest = await callTool(client, 'read_conversation', { channel: id, topic: 'plans', before: second })
    expect(rest).toMatchObject({ messages: [{ id: first, content: 'One *and* only' }], has_older: false })
  })

  it('searches all conversations or one channel, and returns a message ID from which to continue', async () => {
    const [one, other] = [await createChannel('public'), await createChannel('public')]
    const ids: number[] = []
    for (const name of [one.name, other.name, one.name]) ids.push(await owner.send(name, 'found', 'A xylophone here'))
    const client = await connect(owner)
    expect(await callTool(client, 'search_messages', { words: 'xylophone' })).toMatchObject({
      messages: ids.map((id) => ({ id })),
      continue_before: null,
    })
    expect(await callTool(client, 'search_messages', { words: 'xylophone', channel: other.id })).toMatchObject({
      messages: [{ id: ids[1] }],
    })
    expect(await callTool(client, 'search_messages', { words: 'xylophone', limit: 2 })).toMatchObject({
      messages: [{ id: ids[1] }, { id: ids[2] }],
      continue_before: ids[1],
    })
    expect(
      await callTool(client, 'search_messages', { words: 'xylophone', before: ids[1], sender: owner.id }),
    ).toMatchObject({
      messages: [{ id: ids[0] }],
    })
  })

  it('sends messages and reactions with the same events as the API', async () => {
    const ann = await organization.user('Ann')
    const { id, name } = await createChannel('public', [owner, ann])
    // The first message updates the channel, which sends an event.
    await owner.send(name, 'news', 'First')
    const queue = await ann.register()
    const client = await connect(owner)
    const sent = SENT_MESSAGE.parse(
      await callTool(client, 'send_message', { channel: id, topic: 'news', content: '**Hello**' }),
    )
    expect(await callTool(client, 'add_reaction', { message_id: sent.id, emoji: 'tada' })).toEqual({})
    expect(await queue.events()).toMatchObject([
      { type: 'message', message: { id: sent.id, display_recipient: name, subject: 'news', sender_id: owner.id } },
      { type: 'reaction', op: 'add', message_id: sent.id, emoji_name: 'tada', user_id: owner.id },
    ])
    expect(await callTool(client, 'add_reaction', { message_id: sent.id, emoji: 'tada' })).toMatch(
      /^REACTION_ALREADY_EXISTS: /,
    )
    expect(await callTool(client, 'send_message', { channel: id, content: 'No topic' })).toMatch(
      /^REQUEST_VARIABLE_MISSING: /,
    )
    expect(await callTool(client, 'send_message', { channel: id, topic: 'x', content: 'x'.repeat(10_001) })).toMatch(
      /^REQUEST_VARIABLE_INVALID: /,
    )
    expect(await queue.events()).toEqual([])
  })
})

describe('tool use records', () => {
  it('audits each tool use and its outcome without message text or search words', async () => {
    const ann = await organization.user('Ann')
    const [{ id, name }, hidden] = [await createChannel('public', [owner, ann]), await createChannel('private')]
    const queue = await owner.register()
    const client = await connect(ann)
    const { entries: before } = await owner.call('GET', '/audit_log', { kind: 'tools' })
    await callTool(client, 'list_channels')
    const whisper = { channel: name, topic: 'a topic', content: 'whispered' }
    const { id: sent } = SENT_MESSAGE.parse(await callTool(client, 'send_message', whisper))
    await callTool(client, 'list_topics', { channel: id })
    await callTool(client, 'read_conversation', { channel: id, topic: 'a topic' })
    await callTool(client, 'search_messages', { words: 'whispered' })
    await callTool(client, 'search_messages', { words: 'whispered', channel: id })
    await callTool(client, 'add_reaction', { message_id: sent, emoji: 'tada' })
    await callTool(client, 'read_conversation', { channel: hidden.name })
    await callTool(client, 'send_message', { people: [owner.id], content: 'whispered' })
    // Invalid arguments and listing tools are not audited.
    await callTool(client, 'send_message', { channel: [id] })
    await client.listTools()
    const { entries } = await owner.call('GET', '/audit_log', { kind: 'tools', limit: 500 })
    const noted = entries
      .slice(0, entries.length - before.length)
      .toReversed()
      .map(({ id: _id, timestamp: _timestamp, ...entry }) => entry)
    const of = { acting_user_id: ann.id, kind: 'tools' }
    const usedEntry = (tool: string, isInChannel = true): Body => ({
      ...of,
      action: 'used',
      target: isInChannel ? { type: 'channel', id, name } : null,
      changes: [{ property: 'tool', to: tool }],
    })
    const refusedEntry = (tool: string): Body => ({
      ...of,
      action: 'refused',
      target: null,
      changes: [
        { property: 'tool', to: tool },
        { property: 'error', to: 'BAD_REQUEST' },
      ],
    })
    expect(noted).toEqual([
      usedEntry('list_channels', false),
      usedEntry('send_message'),
      usedEntry('list_topics'),
      usedEntry('read_conversation'),
      usedEntry('search_messages', false),
      usedEntry('search_messages'),
      usedEntry('add_reaction'),
      refusedEntry('read_conversation'),
      refusedEntry('send_message'),
    ])
    expect(JSON.stringify(noted)).not.toMatch(/whispered|a topic/)
    expect((await queue.events()).map(({ type }) => type)).not.toContain('audit_log')
  })
})

describe('conversations closed to tools', () => {
  it('treats a channel closed to AI tools as missing in every tool call', async () => {
    const { id, name } = await createChannel('private')
    const message = await owner.send(name, 'hidden', 'A marimba there')
    const queue = await owner.register()
    const client = await connect(owner)
    const resultsFor = async (named: number | string): Promise<unknown[]> => [
      await callTool(client, 'list_topics', { channel: named }),
      await callTool(client, 'read_conversation', { channel: named }),
      await callTool(client, 'search_messages', { words: 'marimba', channel: named }),
      await callTool(client, 'send_message', { channel: named, topic: 'hidden', content: 'Hi' }),
    ]
    expect([await resultsFor(id), await resultsFor(name)]).toEqual([
      await resultsFor(987_654),
      await resultsFor('no such channel'),
    ])
    expect(await resultsFor(id)).toEqual([CHANNEL_NOT_FOUND, CHANNEL_NOT_FOUND, CHANNEL_NOT_FOUND, CHANNEL_NOT_FOUND])
    expect(await callTool(client, 'search_messages', { words: 'marimba' })).toEqual({
      messages: [],
      continue_before: null,
    })
    expect(JSON.stringify(await callTool(client, 'list_channels'))).not.toContain(name)
    const react = async (messageId: number): Promise<unknown> =>
      callTool(client, 'add_reaction', { message_id: messageId, emoji: 'tada' })
    expect(await react(message)).toBe(await react(message + 1_000_000))
    expect(await queue.events()).toEqual([])
    await owner.call('PATCH', `/streams/${id}/tool_access`, { is_allowed: true })
    expect(await callTool(client, 'search_messages', { words: 'marimba' })).toMatchObject({
      messages: [{ id: message }],
    })
    expect(await callTool(client, 'read_conversation', { channel: id })).toMatchObject({ messages: [{ id: message }] })
    expect(await react(message)).toEqual({})
    await owner.call('PATCH', `/streams/${id}/tool_access`, { is_allowed: false })
    expect(await callTool(client, 'read_conversation', { channel: id })).toBe(CHANNEL_NOT_FOUND)
  })

  it('finds a message even if a full page of matches in channels closed to AI tools comes first', async () => {
    const [shown, hidden] = [await createChannel('public'), await createChannel('private')]
    const old = await owner.send(shown.name, 'x', 'An ocarina')
    for (let index = 0; index < 3; index += 1) await owner.send(hidden.name, 'x', 'An ocarina, hidden')
    const client = await connect(owner)
    expect(await callTool(client, 'search_messages', { words: 'ocarina', limit: 1 })).toMatchObject({
      messages: [{ id: old }],
      continue_before: null,
    })
  })

  it('keeps direct messages closed to AI tools until an administrator opens them', async () => {
    const ann = await organization.user('Ann')
    const message = await owner.sendTo([ann.id], 'Between us, a theremin')
    const client = await connect(owner)
    const refused = 'BAD_REQUEST: This organization does not allow tools in direct messages.'
    expect(await callTool(client, 'read_conversation', { people: [ann.id] })).toBe(refused)
    expect(await callTool(client, 'send_message', { people: [ann.id], content: 'Hi' })).toBe(refused)
    expect(await callTool(client, 'search_messages', { words: 'theremin' })).toMatchObject({ messages: [] })
    expect(await callTool(client, 'add_reaction', { message_id: message, emoji: 'tada' })).toMatch(
      /^BAD_REQUEST: Invalid message/,
    )
    await owner.call('PATCH', '/tool_access', { access: 'everything' })
    expect(await callTool(client, 'read_conversation', { people: [ann.id] })).toMatchObject({
      messages: [{ id: message, people: listWith([{ id: ann.id, name: 'Ann' }]) }],
    })
    expect(await callTool(client, 'search_messages', { words: 'theremin' })).toMatchObject({
      messages: [{ id: message }],
    })
    expect(await callTool(client, 'send_message', { people: [ann.id], content: 'Hi' })).toEqual({
      id: anyNumber,
    })
    const eve = await connect(await organization.user('Eve'))
    expect(await callTool(eve, 'search_messages', { words: 'theremin' })).toMatchObject({ messages: [] })
  })

  it('rejects connections of AI tools if the organization disables AI tools', async () => {
    await owner.call('PATCH', '/tool_access', { access: 'nothing' })
    await expect(connect(owner)).rejects.toThrow(/does not allow tools/)
  })
})

describe('tool accounts', () => {
  it('gives AI tools no permissions that the account lacks in the API', async () => {
    const ann = await organization.user('Ann')
    const { id, name } = await createChannel('private')
    await owner.call('PATCH', `/streams/${id}/tool_access`, { is_allowed: true })
    const message = await owner.send(name, 'x', 'A kazoo')
    const client = await connect(ann)
    expect(await callTool(client, 'read_conversation', { channel: id })).toBe(CHANNEL_NOT_FOUND)
    expect(await callTool(client, 'send_message', { channel: name, topic: 'x', content: 'Hi' })).toBe(CHANNEL_NOT_FOUND)
    expect(await callTool(client, 'search_messages', { words: 'kazoo' })).toMatchObject({ messages: [] })
    expect(await callTool(client, 'add_reaction', { message_id: message, emoji: 'tada' })).toMatch(/^BAD_REQUEST: /)
    expect(JSON.stringify(await callTool(client, 'list_channels'))).not.toContain(name)
  })

  it('rejects tool calls of a deactivated account', async () => {
    const ann = await organization.user('Ann')
    const client = await connect(ann)
    await owner.call('DELETE', `/users/${ann.id}`)
    await expect(client.listTools()).rejects.toThrow(/deactivated|API key/i)
  })

  async function breakLog(of: 'insert' | 'update', act: () => Promise<void>): Promise<void> {
    const { pool } = server().parley.database
    await pool.query(`
      create or replace function test_broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
      create trigger test_broken before ${of} on audit_log for each row execute function test_broken()`)
    try {
      await act()
    } finally {
      await pool.query('drop trigger test_broken on audit_log')
    }
  }

  it('blocks tool calls that cannot be audited, and does not report a completed call as failed', async () => {
    const { name } = await createChannel('public')
    const client = await connect(owner)
    const queue = await owner.register({ event_types: ['message', 'reaction'] })
    const content = { channel: name, topic: 'a topic', content: 'Hello' }
    const { id } = SENT_MESSAGE.parse(await callTool(client, 'send_message', content))
    await breakLog('insert', async () => {
      await expect(callTool(client, 'send_message', content)).rejects.toThrow('Internal server error')
      await expect(callTool(client, 'add_reaction', { message_id: id, emoji: 'tada' })).rejects.toThrow(
        'Internal server error',
      )
    })
    expect((await queue.events()).map((event) => event['type'])).toEqual(['message'])
    await breakLog('update', async () => {
      expect(await callTool(client, 'add_reaction', { message_id: id, emoji: 'no such emoji' })).toMatch(
        /^BAD_REQUEST: /,
      )
      expect(await callTool(client, 'add_reaction', { message_id: id, emoji: 'tada' })).toEqual({})
    })
    expect(await callTool(client, 'add_reaction', { message_id: id, emoji: 'tada' })).toMatch(
      /^REACTION_ALREADY_EXISTS: /,
    )
    expect((await queue.events()).map((event) => event['type'])).toEqual(['reaction'])
    const { entries } = await owner.call('GET', '/audit_log', { kind: 'tools', limit: 3 })
    expect(entries).toMatchObject([
      { action: 'refused', target: { name }, changes: [{ to: 'add_reaction' }, { to: 'REACTION_ALREADY_EXISTS' }] },
      { action: 'used', target: { name }, changes: [{ to: 'add_reaction' }] },
      // The outcome could not be recorded, but the attempt was.
      { action: 'used', target: { name }, changes: [{ to: 'add_reaction' }] },
    ])
  })
})

import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { MAX_EXCLUDED_CHANNELS } from './actions/tools.ts'
import { callTool, useToolClients } from './testing/client.ts'

const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
const connect = useToolClients()

it('reveals no message IDs of channels closed to AI tools, however many messages match a search', async () => {
  const { owner } = await server().organization('Test', { stringId: '' })
  await owner.subscribe(['open'])
  const old = await owner.send('open', 'x', 'A glockenspiel')
  // Exceeds the number of channels that a search excludes, and the number of matches that a search scans.
  const names = Array.from({ length: MAX_EXCLUDED_CHANNELS }, (_, index) => `hidden ${index}`)
  await owner.subscribe(names, { invite_only: true })
  await owner.subscribe(['hidden last'], { invite_only: true })
  for (let round = 0; round < 21; round += 1) {
    await Promise.all(Array.from({ length: 100 }, async () => owner.send('hidden last', 'x', 'A glockenspiel, hidden')))
  }
  const client = await connect(owner)
  const search = async (more = {}): Promise<unknown> =>
    callTool(client, 'search_messages', { words: 'glockenspiel', ...more })
  expect(await search()).toEqual({ messages: [], continue_before: null, is_cut_off: true })
  const newer = await owner.send('open', 'x', 'Another glockenspiel')
  expect(await search()).toMatchObject({ messages: [{ id: newer }], continue_before: newer })
  expect(await search({ before: newer })).toEqual({ messages: [], continue_before: null, is_cut_off: true })
  const { stream_id: first } = await owner.call('GET', '/get_stream_id', { stream: names[0] })
  await owner.call('PATCH', `/streams/${String(first)}/tool_access`, { is_allowed: true })
  const found = await search()
  expect(found).toMatchObject({ messages: [{ id: old }, { id: newer }], continue_before: null })
  expect(found).not.toHaveProperty('is_cut_off')
})

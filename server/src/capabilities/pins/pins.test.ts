import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const WITH_PINS = {
  event_types: ['channel_pins'],
  client_capabilities: { ...ALL_CAPABILITIES, channel_pins: true },
}

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly general: number
}

async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const [ann, bob] = [await organization.user('Ann'), await organization.user('Bob')]
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, ann.id] })
  const { stream_id: general } = await ann.call('GET', '/get_stream_id', { stream: 'general' })
  return { ...organization, ann, bob, general }
}

const pinsOf = async (user: TestUser, channel: number) =>
  user.call('GET', `/streams/${channel}/pins`, { allow_empty_topic_name: true })

it('pins messages to a channel or topic and notifies only clients that support pins', async () => {
  const { ann, bob, general } = await createFixture()
  const [one, two] = [await ann.send('general', 'plans', 'One'), await ann.send('general', '', 'Two')]
  const look = await watch({ ann, bob }, WITH_PINS)
  const lookOlder = await watch({ ann })
  await ann.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'topic' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: two, scope: 'topic' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'channel' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'channel' })
  const pinOf = (message_id: number, topic: string, scope: string, pinned_by: number) => ({
    message_id,
    scope,
    topic,
    pinned_by,
    pinned_at: expect.any(Number) as number,
  })
  const added = (pin: object) => ({ type: 'channel_pins', op: 'add', stream_id: general, pin })
  expect(await pinsOf(ann, general)).toMatchObject({
    pins: [pinOf(two, '', 'topic', bob.id), pinOf(one, 'plans', 'channel', ann.id)],
    links: [],
  })
  await bob.call('DELETE', `/streams/${general}/pins/${one}`)
  const events = [
    added(pinOf(one, 'plans', 'topic', ann.id)),
    added(pinOf(two, '', 'topic', bob.id)),
    added(pinOf(one, 'plans', 'channel', ann.id)),
    { type: 'channel_pins', op: 'remove', stream_id: general, message_id: one },
  ]
  expect(await look()).toEqual({ ann: events, bob: events })
  expect(await lookOlder()).toEqual({ ann: [] })
})

it('adds, updates, reorders, and removes links of a channel', async () => {
  const { ann, bob, general } = await createFixture()
  const look = await watch({ ann, bob }, WITH_PINS)
  const add = async (title: string, url: string) =>
    (await ann.call('POST', `/streams/${general}/links`, { title, url })).link_id
  const [one, two] = [await add(' Docs ', ' https://docs.example.com/a?b#c '), await add('Files', '/#files')]
  await bob.call('PATCH', `/streams/${general}/links/${two}`, { title: 'All files' })
  await bob.call('PATCH', `/streams/${general}/links/${two}`, { url: '/#files' })
  await ann.call('PATCH', `/streams/${general}/links`, { order: [two, one] })
  const common = { created_by: ann.id, created_at: expect.any(Number) as number }
  const docs = { link_id: one, title: 'Docs', url: 'https://docs.example.com/a?b#c', ...common }
  const files = { link_id: two, title: 'Files', url: '/#files', ...common }
  const renamed = { ...files, title: 'All files' }
  expect(await pinsOf(bob, general)).toMatchObject({ pins: [], links: [renamed, docs] })
  await ann.call('DELETE', `/streams/${general}/links/${one}`)
  expect(await pinsOf(bob, general)).toMatchObject({ pins: [], links: [renamed] })
  const common2 = { type: 'channel_pins', stream_id: general }
  const events = [
    { ...common2, op: 'add_link', link: docs },
    { ...common2, op: 'add_link', link: files },
    { ...common2, op: 'update_link', link: renamed },
    { ...common2, op: 'reorder_links', order: [two, one] },
    { ...common2, op: 'remove_link', link_id: one },
  ]
  expect(await look()).toEqual({ ann: events, bob: events })
})

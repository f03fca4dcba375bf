import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import {
  skipPushPauses,
  waitForPushes,
  storedPushes,
  createFixtureOn,
  waitUntilPushesEnd,
  subscribeDevice,
  pushesSince,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (): Promise<Fixture> => createFixtureOn(server())

const MENTION_OF_ANN = '@**Ann** hi'

describe('push withdrawals', () => {
  it('does not push a message that was read, deleted, or hidden first', async () => {
    const place = await createFixture()
    const { owner, ann, bob, device } = place
    // Pushes to a user who is online are delayed.
    await ann.call('POST', '/users/me/presence', { status: 'active', ping_only: true })
    const read = await bob.send('news', 'a', '@**Ann** read')
    const deleted = await bob.send('news', 'b', '@**Ann** deleted')
    const moved = await bob.send('news', 'c', '@**Ann** moved')
    await expect.poll(async () => (await storedPushes(place)).length).toBe(3)
    await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
    await owner.call('DELETE', `/messages/${deleted}`)
    await owner.subscribe(['secret'], { principals: [owner.id, bob.id], invite_only: true })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
    await owner.call('PATCH', `/messages/${moved}`, { stream_id, propagate_mode: 'change_one' })
    await skipPushPauses(place)
    await waitUntilPushesEnd(place)
    expect(device.pushes()).toEqual([])
    expect(await storedPushes(place)).toEqual([])
  })

  it('withdraws read and deleted messages once from devices that allow silent pushes', async () => {
    const place = await createFixture()
    const { owner, ann, bob, device, service } = place
    const loud = service.device()
    await subscribeDevice(ann, loud, { allows_silent: false })
    const read = await bob.send('news', 'a', '@**Ann** read')
    await waitForPushes(device, 1)
    const unread = await bob.sendTo([ann.id], 'unread')
    await waitForPushes(device, 2)
    const deleted = await bob.send('news', 'b', '@**Ann** deleted')
    await waitForPushes(device, 3)
    await waitForPushes(loud, 3)
    // Nothing is withdrawn when other users read messages, or when the read message was not pushed.
    await bob.call('POST', '/mark_all_as_read')
    const quiet = await bob.send('news', 'a', 'nothing for anybody')
    await ann.call('POST', '/messages/flags', { messages: [read, quiet], op: 'add', flag: 'read' })
    await owner.call('DELETE', `/messages/${deleted}`)
    const withdrawn = (await waitForPushes(device, 5)).slice(3)
    expect(new Set(withdrawn.map(({ message_id }) => message_id))).toEqual(new Set([read, deleted]))
    expect(new Set(withdrawn.map(({ type }) => type))).toEqual(new Set(['withdrawal']))
    expect(device.pushes()[4]?.headers['urgency']).toBe('normal')
    await waitUntilPushesEnd(place)
    await ann.call('POST', '/mark_all_as_read')
    expect((await waitForPushes(device, 6))[5]).toEqual({ type: 'withdrawal', message_id: unread })
    await waitUntilPushesEnd(place)
    expect(await pushesSince(place, 6)).toEqual([])
    expect(loud.payloads().map(({ type }) => type)).toEqual(['message', 'message', 'message', 'message'])
  })

  it('withdraws a message only from readers who lost access to it', async () => {
    const place = await createFixture()
    const { owner, bob, device, service } = place
    const ofBob = service.device()
    await subscribeDevice(bob, ofBob)
    await owner.subscribe(['secret'], { principals: [owner.id, bob.id], invite_only: true })
    const id = await owner.send('news', 'a', '@**all** moving')
    await waitForPushes(device, 1)
    await waitForPushes(ofBob, 1)
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
    await owner.call('PATCH', `/messages/${id}`, { stream_id, propagate_mode: 'change_one' })
    expect((await waitForPushes(device, 2))[1]).toEqual({ type: 'withdrawal', message_id: id })
    await waitUntilPushesEnd(place)
    expect(ofBob.payloads().length).toBe(1)
  })

  it('withdraws the push of a conversation only after its newest message is read', async () => {
    const place = await createFixture()
    const { ann, bob, device } = place
    const first = await bob.sendTo([ann.id], 'first')
    await waitForPushes(device, 1)
    const second = await bob.sendTo([ann.id], 'second')
    expect((await waitForPushes(device, 2)).map(({ message_id }) => message_id)).toEqual([first, second])
    // Pushes of a conversation have the same topic, so that a device shows only the newest, even if it was offline.
    expect(new Set(device.pushes().map(({ headers }) => headers['topic'])).size).toBe(1)
    await ann.call('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' })
    await bob.send('news', 'a', MENTION_OF_ANN)
    await waitForPushes(device, 3)
    await waitUntilPushesEnd(place)
    expect(device.payloads().map(({ type }) => type)).toEqual(['message', 'message', 'message'])
    await ann.call('POST', '/messages/flags', { messages: [second], op: 'add', flag: 'read' })
    expect((await waitForPushes(device, 4))[3]).toEqual({ type: 'withdrawal', message_id: second })
  })
})

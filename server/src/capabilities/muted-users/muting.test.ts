import { expect, it } from 'vitest'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { expectFull, FILL_WITH_BOTS } from '../../testing/full.ts'
import { MUTED_USER_LIMIT } from './contract.ts'

const server = useTestServer()

function mutePath(user: { id: number }): string {
  return `/users/me/muted_users/${user.id}`
}

it('mutes and unmutes people and notifies only the muter', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob, bot] = [await user('Ann'), await user('Bob'), await user('Bot', { bot: {} })]
  const [own, others, muted] = [await ann.register(), await owner.register(), await bob.register()]
  expect(own.state['muted_users']).toEqual([])
  const before = Math.floor(Date.now() / 1000)
  await ann.call('POST', mutePath(bob))
  await ann.call('POST', mutePath(bot))
  const { muted_users } = (await ann.register()).state
  expect(muted_users).toMatchObject([{ id: bob.id }, { id: bot.id }])
  const [first, second] = muted_users
  expect(first?.timestamp).toBeGreaterThanOrEqual(before)
  await ann.call('DELETE', mutePath(bob))
  expect(await own.events()).toMatchObject([
    { type: 'muted_users', muted_users: [first] },
    { type: 'muted_users', muted_users: [first, second] },
    { type: 'muted_users', muted_users: [second] },
  ])
  expect([await others.events(), await muted.events()]).toEqual([[], []])
  expect((await ann.register()).state['muted_users']).toEqual([second])
  expect((await owner.register()).state['muted_users']).toEqual([])
})

it('rejects muting oneself, a missing person, or a person who is already muted', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await ann.call('POST', mutePath(bob))
  const queue = await ann.register()
  for (const [method, id, msg] of [
    ['POST', ann.id, 'Cannot mute self'],
    ['POST', 999_999, 'No such user'],
    ['POST', bob.id, 'User already muted'],
    ['DELETE', ann.id, 'User is not muted'],
    ['DELETE', owner.id, 'User is not muted'],
    ['DELETE', 999_999, 'No such user'],
  ] as const) {
    const { status, body } = await ann.try(method, mutePath({ id }))
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', msg])
  }
  expect(await queue.events()).toEqual([])
  expect((await owner.try('DELETE', mutePath(bob))).status).toBe(400)
  expect((await ann.register()).state['muted_users']).toMatchObject([{ id: bob.id }])
})

it('mutes and unmutes a deactivated account', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.call('DELETE', `/users/${bob.id}`)
  await ann.call('POST', mutePath(bob))
  expect((await ann.register()).state['muted_users']).toMatchObject([{ id: bob.id }])
  await ann.call('DELETE', mutePath(bob))
  expect((await ann.register()).state['muted_users']).toEqual([])
})

it('keeps muted people after a restart', async () => {
  const { owner, host, user } = await server().organization()
  const [ann, bob, cleo] = [await user('Ann'), await user('Bob'), await user('Cleo')]
  for (const somebody of [cleo, ann, bob]) await owner.call('POST', mutePath(somebody))
  await owner.call('DELETE', mutePath(ann))
  const { muted_users } = (await owner.register()).state
  const other = await startTestServerOn(server().database, {}, { shared: true })
  try {
    const again = new TestUser(other.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect((await again.register()).state['muted_users']).toEqual(muted_users)
    expect(muted_users).toMatchObject([{ id: cleo.id }, { id: bob.id }])
  } finally {
    await other.close()
  }
})

it("marks only the muted person's earlier messages as read", async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, bob.id] })
  const theirs = [await bob.send('general', 'hello', '@**Ann**'), await bob.sendTo([ann.id], 'Psst')]
  const other = await owner.send('general', 'hello', 'Hello')
  const [own, others] = [await ann.register(), await owner.register()]
  await ann.call('POST', mutePath(bob))
  expect(await own.events()).toMatchObject([
    { type: 'muted_users', muted_users: [{ id: bob.id }] },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: theirs, all: false },
  ])
  expect(await others.events()).toEqual([])
  const left = { count: 1, streams: [{ topic: 'hello', unread_message_ids: [other] }], pms: [], mentions: [] }
  expect((await ann.register()).state['unread_msgs']).toMatchObject(left)
  await ann.call('DELETE', mutePath(bob))
  expect((await ann.register()).state['unread_msgs']).toMatchObject(left)
})

it('refuses more muted people than the limit', async () => {
  await expectFull(MUTED_USER_LIMIT, {
    fill: [
      FILL_WITH_BOTS,
      `insert into muted_users (organization_id, user_id, muted_user_id, date_muted, id)
       select $1, $2, 1000000 + n, 0, 1000000 + n from generate_series(1, $3::int) n`,
    ],
    make: async (owner, other) => owner.try('POST', mutePath(other)),
    refusal: 'You can mute at most 1000 users.',
  })
})

import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function statusOf(viewer: TestUser, user: TestUser): Promise<unknown> {
  return (await viewer.call('GET', `/users/${user.id}/status`))['status']
}

async function membersGroup(owner: TestUser): Promise<number> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return user_groups.find(({ name }) => name === 'role:members')?.id ?? 0
}

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

it('sets a status and notifies everyone', async () => {
  const { owner, user } = await server().organization()
  const [mia, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  const look = await watch({ mia, guest })
  expect(await statusOf(guest, mia)).toEqual({})
  await mia.call('POST', '/users/me/status', { status_text: ' In a meeting ', emoji_name: 'tada' })
  await mia.call('POST', '/users/me/status', { status_text: 'In a meeting' })
  await mia.call('POST', '/users/me/status', { status_text: '' })
  const statusEvent = (fields: Body): Body => ({ type: 'user_status', user_id: mia.id, ...fields })
  const events = [statusEvent({ status_text: 'In a meeting', ...TADA }), statusEvent({ status_text: '' })]
  expect(await look()).toEqual({ mia: events, guest: events })
  expect(await statusOf(guest, mia)).toEqual(TADA)
  expect((await owner.register()).state['user_status']).toEqual({ [mia.id]: TADA })
  await mia.call('POST', '/users/me/status', { emoji_name: '' })
  expect((await look()).guest).toEqual([statusEvent({ ...TADA, emoji_name: '', emoji_code: '' })])
  expect((await owner.register()).state['user_status']).toEqual({})
})

it('sends a legacy away status to everyone who can see the person', async () => {
  const { owner, user } = await server().organization()
  const [mia, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: await membersGroup(owner) } })
  const [look, own] = [
    await watch({ owner, guest }),
    await mia.register({ event_types: ['user_settings', 'user_status'] }),
  ]
  await mia.call('POST', '/users/me/status', { away: true, status_text: 'On holiday' })
  const statusEvent = (fields: Body): Body => ({ type: 'user_status', user_id: mia.id, ...fields })
  const events = [statusEvent({ status_text: 'On holiday' }), statusEvent({ away: true })]
  expect(await look()).toEqual({ owner: events, guest: [] })
  const setting = { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false }
  expect(await own.events()).toMatchObject([events[0], setting, events[1]])
  expect(await statusOf(owner, mia)).toEqual({ away: true, status_text: 'On holiday' })
  expect((await mia.register()).state).toMatchObject({ user_settings: { presence_enabled: false } })
  expect((await guest.register()).state['user_status']).toEqual({})
  // The guest gets the status when they start sharing a channel with Mia.
  await owner.subscribe(['talk'], { principals: [mia.id, guest.id] })
  expect((await look()).guest).toContainEqual(
    expect.objectContaining(statusEvent({ away: true, status_text: 'On holiday' })),
  )
  expect((await guest.register()).state['user_status']).toEqual({ [mia.id]: { away: true, status_text: 'On holiday' } })
  await mia.call('POST', '/users/me/presence', { status: 'active' })
  expect((await owner.call('GET', '/realm/presence'))['presences']).toEqual({})
  await look()
  await mia.call('PATCH', '/settings', { presence_enabled: true })
  expect(await look()).toEqual({ owner: [statusEvent({ away: false })], guest: [statusEvent({ away: false })] })
  await mia.call('POST', '/users/me/status', { away: false })
  expect(await look()).toEqual({ owner: [], guest: [] })
  expect(await statusOf(guest, mia)).toEqual({ status_text: 'On holiday' })
  expect((await mia.try('POST', '/users/me/status', { away: 'perhaps' })).status).toBe(400)
})

it('marks new people as away if presence is off by default', async () => {
  const { owner } = await server().organization()
  await owner.call('PATCH', '/realm/user_settings_defaults', { presence_enabled: false })
  const look = await watch({ owner }, { event_types: ['user_status'] })
  const account = { email: 'new@example.com', password: 'a long password', full_name: 'Nina New' }
  const { user_id } = await owner.call('POST', '/users', account)
  expect(await look()).toEqual({ owner: [{ type: 'user_status', user_id, away: true }] })
  expect((await owner.register()).state['user_status']).toEqual({ [String(user_id)]: { away: true } })
})

it.each([
  [{}],
  [{ emoji_code: '1f389' }],
  [{ reaction_type: 'unicode_emoji' }],
  [{ emoji_name: 'no such emoji' }],
  [{ emoji_name: 'tada', emoji_code: 'zzz' }],
  [{ emoji_name: 'tada', reaction_type: 'drawing' }],
  [{ status_text: '😀'.repeat(61) }],
])('rejects the status %j without changes', async (parameters) => {
  const { owner } = await server().organization()
  await owner.call('POST', '/users/me/status', { status_text: '😀'.repeat(60) })
  const look = await watch({ owner })
  expect((await owner.try('POST', '/users/me/status', parameters)).status).toBe(400)
  expect([await look(), await statusOf(owner, owner)]).toEqual([{ owner: [] }, { status_text: '😀'.repeat(60) }])
})

it("lets only administrators set another person's status", async () => {
  const { owner, user } = await server().organization()
  const [mia, mo] = [await user('Mia Member'), await user('Mo Member')]
  const path = `/users/${mia.id}/status`
  expect((await mo.try('POST', path, { status_text: 'Away' })).body['msg']).toBe('Insufficient permission')
  await owner.call('POST', path, { status_text: 'Away' })
  expect(await statusOf(mo, mia)).toEqual({ status_text: 'Away' })
  await mia.call('POST', path, { status_text: '' })
  expect(await statusOf(mo, mia)).toEqual({})
  for (const method of ['GET', 'POST']) {
    const { body } = await owner.try(method, '/users/999999/status', { status_text: 'x' })
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'No such user' })
  }
})

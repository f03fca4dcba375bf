import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function statusOf(viewer: TestUser, user: TestUser): Promise<unknown> {
  return (await viewer.call('GET', `/users/${user.id}/status`))['status']
}

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

it('says what somebody is about, and everybody hears of it', async () => {
  const { owner, user } = await server().organization()
  const [mia, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  const look = await watch({ mia, guest })
  expect(await statusOf(guest, mia)).toEqual({})
  await mia.call('POST', '/users/me/status', { status_text: ' In a meeting ', emoji_name: 'tada' })
  await mia.call('POST', '/users/me/status', { status_text: 'In a meeting' })
  await mia.call('POST', '/users/me/status', { status_text: '' })
  const told = (fields: Body): Body => ({ type: 'user_status', user_id: mia.id, ...fields })
  const events = [told({ status_text: 'In a meeting', ...TADA }), told({ status_text: '' })]
  expect(await look()).toEqual({ mia: events, guest: events })
  expect(await statusOf(guest, mia)).toEqual(TADA)
  expect((await owner.register()).state['user_status']).toEqual({ [mia.id]: TADA })
  await mia.call('POST', '/users/me/status', { emoji_name: '' })
  expect((await look()).guest).toEqual([told({ ...TADA, emoji_name: '', emoji_code: '' })])
  expect((await owner.register()).state['user_status']).toEqual({})
})

it.each([
  [{}],
  [{ emoji_code: '1f389' }],
  [{ reaction_type: 'unicode_emoji' }],
  [{ emoji_name: 'no such emoji' }],
  [{ emoji_name: 'tada', emoji_code: 'zzz' }],
  [{ emoji_name: 'tada', reaction_type: 'drawing' }],
  [{ status_text: '😀'.repeat(61) }],
])('refuses %j, and changes nothing', async (parameters) => {
  const { owner } = await server().organization()
  await owner.call('POST', '/users/me/status', { status_text: '😀'.repeat(60) })
  const look = await watch({ owner })
  expect((await owner.try('POST', '/users/me/status', parameters)).status).toBe(400)
  expect([await look(), await statusOf(owner, owner)]).toEqual([{ owner: [] }, { status_text: '😀'.repeat(60) }])
})

it('is changed for others by administrators alone', async () => {
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

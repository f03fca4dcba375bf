import { expect, it } from 'vitest'
import { blockWriter } from '../../testing/hold.ts'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it('refuses an action whose actor lost permission while the action was queued', async () => {
  const organization = await server().organization()
  const admin = await organization.user('Ada Admin', { role: 200 })
  const other = await organization.user('Otto Other')
  const release = await blockWriter(server().parley, organization)
  const demotion = organization.owner.call('PATCH', `/users/${admin.id}`, { role: 400 })
  // Once a later request has been answered, the demotion is waiting for the lock, ahead of later changes.
  await organization.owner.call('GET', '/users/me')
  const renaming = admin.try('PATCH', `/users/${other.id}`, { full_name: 'Renamed' })
  const making = admin.try('POST', '/users', { email: 'new@example.com', full_name: 'New', password: 'long enough' })
  await admin.call('GET', '/users/me')
  release()
  await demotion
  expect((await renaming).body['code']).toBe('BAD_REQUEST')
  expect((await making).body['code']).toBe('BAD_REQUEST')
  const { user } = await organization.owner.call('GET', `/users/${other.id}`)
  expect(user).toMatchObject({ full_name: 'Otto Other' })
})

it('refuses an action whose actor was deactivated while the action was queued', async () => {
  const organization = await server().organization()
  const member = await organization.user('Mia Member')
  const release = await blockWriter(server().parley, organization)
  const ending = organization.owner.call('DELETE', `/users/${member.id}`)
  await organization.owner.call('GET', '/users/me')
  const subscribing = member.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'mine' }] })
  await member.call('GET', '/users/me')
  release()
  await ending
  const { status, body } = await subscribing
  expect([status, body['code']]).toEqual([401, 'USER_DEACTIVATED'])
})

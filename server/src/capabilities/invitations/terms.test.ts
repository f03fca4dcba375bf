import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { browserOf } from '../../testing/browser.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { createChannel, createGroup, invitationIdFor, invite, createLink, badRequest } from './testing/inviting.ts'
import { callFromBrowser, join, createLinkToken, newAddress } from './testing/joining.ts'

const server = useTestServer()
let organization: TestOrganization
let owner: TestUser
let member: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
  member = await organization.user('Mia Member')
})

describe('invitation terms', () => {
  async function termsOf(user: TestUser): Promise<Map<unknown, Body>> {
    const { terms } = await user.call('GET', '/invites/terms')
    return new Map(terms.map(({ id, ...granted }) => [id, granted]))
  }

  it('lists the terms of an invitation for its inviter and administrators', async () => {
    const [open, mine] = [
      await createChannel(owner, 'open'),
      await createChannel(member, 'mine', { invite_only: true }),
    ]
    const theirs = await createChannel(owner, 'theirs', { invite_only: true, principals: [owner.id, member.id] })
    const group = await createGroup(member, 'crew')
    const to = newAddress()
    await invite(member, to, { stream_ids: [open, mine, theirs], group_ids: [group] })
    await createLink(owner, { stream_ids: [open], include_realm_default_subscriptions: true })
    const id = await invitationIdFor(member, to)
    const granted = { stream_ids: [open, mine, theirs], group_ids: [group], include_realm_default_subscriptions: false }
    expect(await termsOf(member)).toEqual(new Map([[id, granted]]))
    const all = await termsOf(owner)
    expect([...all.values()]).toContainEqual({
      stream_ids: [open],
      group_ids: [],
      include_realm_default_subscriptions: true,
    })
    expect(all.has(id)).toBe(true)
    const other = await organization.user('Ottilie Other', { role: ROLE.moderator })
    expect(await termsOf(other)).toEqual(new Map())
    // Omits archived channels and channels that the user can no longer see.
    await owner.call('DELETE', `/streams/${open}`)
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['theirs'], principals: [member.id] })
    expect((await termsOf(member)).get(id)).toEqual({ ...granted, stream_ids: [mine] })
  })

  it('removes the terms of a revoked invitation', async () => {
    const to = newAddress()
    await invite(member, to)
    const id = await invitationIdFor(member, to)
    expect((await termsOf(owner)).has(id)).toBe(true)
    await member.call('DELETE', `/invites/${id}`)
    expect((await termsOf(owner)).has(id)).toBe(false)
  })

  it('reports, along with invitation terms, whether the server sends email', async () => {
    expect((await member.call('GET', '/invites/terms'))['sends_email']).toBe(false)
  })
})

describe('default channel groups on joining', () => {
  async function createScene(): Promise<{
    boss: TestUser
    makers: number
    offered: (token: string) => Promise<unknown>
  }> {
    const { owner: boss } = await server().organization()
    await boss.subscribe(['all'], { is_default_stream: true })
    await boss.subscribe(['design', 'code', 'other'])
    const make = async (group_name: string, stream_names: readonly string[]): Promise<Body> =>
      boss.call('POST', '/default_stream_groups/create', { group_name, description: 'Who build', stream_names })
    await make('Makers', ['design', 'code'])
    await make('Nobody yet', [])
    const { state } = await boss.register({ fetch_event_types: ['default_stream_groups'] })
    const groups = state.realm_default_stream_groups
    const makers = Number(groups.find(({ name }) => name === 'Makers')?.['id'])
    const offered = async (token: string): Promise<unknown> =>
      (await callFromBrowser(boss, '/join/invitation', { token })).body['default_channel_groups']
    return { boss, makers, offered }
  }

  async function namesOf(user: TestUser): Promise<string[]> {
    const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
    return subscriptions.map(({ name }) => name).toSorted()
  }

  it('offers default channel groups to new people and subscribes them to the groups they choose', async () => {
    const { boss, makers, offered } = await createScene()
    const token = await createLinkToken(boss, { include_realm_default_subscriptions: true })
    expect(await offered(token)).toEqual([
      { id: makers, name: 'Makers', description: 'Who build', channel_names: ['design', 'code'] },
    ])
    const chosen = { email: newAddress(), default_channel_group_ids: [makers, makers] }
    const nora = browserOf(boss, await join(boss, token, chosen))
    expect(await namesOf(nora)).toEqual(['all', 'code', 'design'])
    const nils = browserOf(boss, await join(boss, token, { email: newAddress(), full_name: 'Nils' }))
    expect(await namesOf(nils)).toEqual(['all'])
  })

  it('neither offers default channel groups to invited guests nor lets them choose any', async () => {
    const { boss, makers, offered } = await createScene()
    const token = await createLinkToken(boss, { invite_as: ROLE.guest })
    expect(await offered(token)).toEqual([])
    const email = newAddress()
    const absent = (id: number) => badRequest(`Default channel group with id '${id}' does not exist.`)
    expect(await join(boss, token, { email, default_channel_group_ids: [makers] })).toMatchObject(absent(makers))
    const guest = browserOf(boss, await join(boss, token, { email }))
    expect(await namesOf(guest)).toEqual([])
  })

  it('rejects missing default channel groups and creates no account', async () => {
    const [{ boss }, { makers: foreign }] = [await createScene(), await createScene()]
    const token = await createLinkToken(boss)
    const email = newAddress()
    for (const id of [foreign + 1_000_000, -1, 0]) {
      const answer = await join(boss, token, { email, default_channel_group_ids: [id] })
      expect(answer).toMatchObject(badRequest(`Default channel group with id '${id}' does not exist.`))
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect((await boss.call('GET', '/users'))['members']).toHaveLength(1)
    expect((await join(boss, token, { email })).status).toBe(200)
  })

  it('neither shows nor subscribes new people to private channels of a default channel group', async () => {
    const { boss, makers, offered } = await createScene()
    const token = await createLinkToken(boss)
    const { stream_id } = await boss.call('GET', '/get_stream_id', { stream: 'code' })
    await boss.call('PATCH', `/streams/${String(stream_id)}`, { is_private: true })
    expect(await offered(token)).toMatchObject([{ channel_names: ['design'] }])
    const nora = browserOf(boss, await join(boss, token, { email: newAddress(), default_channel_group_ids: [makers] }))
    expect(await namesOf(nora)).toEqual(['design'])
  })
})

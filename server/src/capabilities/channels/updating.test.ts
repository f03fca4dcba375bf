import { describe, expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Answer, Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

const NO_ONE = { direct_members: [], direct_subgroups: [] }

async function channelNamed(user: TestUser, name: string): Promise<Body> {
  const { streams } = await user.call('GET', '/streams', { include_all: true, exclude_archived: false })
  const found = streams.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${name} is not listed`)
  return found
}

async function idOf(user: TestUser, name: string): Promise<number> {
  return Number((await channelNamed(user, name))['stream_id'])
}

async function tryToUpdate(actor: TestUser, id: number, changes: Parameters): Promise<Answer> {
  return actor.try('PATCH', `/streams/${id}`, changes)
}

function updateEvent(id: number, name: string, property: string, value: unknown, beside: Body = {}): Body {
  return { type: 'stream', op: 'update', stream_id: id, name, property, value, ...beside }
}

async function groupIds({ owner }: TestOrganization): Promise<Record<string, number>> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map(({ name, id }) => [name, id]))
}

describe('channel changes', () => {
  it('sends each changed property to everyone who can see the channel', async () => {
    const { owner, user } = await server().organization()
    const [member, inside] = [await user('Mia Member'), await user('Gisa Guest', { role: 600 })]
    const outside = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['general'], { principals: [owner.id, inside.id] })
    const id = await idOf(owner, 'general')
    const look = await watch({ owner, member, inside, outside })
    expect(
      (
        await tryToUpdate(owner, id, {
          new_name: ' News ',
          description: 'All **new**',
          topics_policy: 'disable_empty_topic',
          message_retention_days: 30,
        })
      ).body,
    ).toEqual({ result: 'success', msg: '' })
    const told = [
      updateEvent(id, 'News', 'name', 'News'),
      updateEvent(id, 'News', 'description', 'All **new**', {
        rendered_description: '<p>All <strong>new</strong></p>',
      }),
      updateEvent(id, 'News', 'message_retention_days', 30),
      updateEvent(id, 'News', 'topics_policy', 'disable_empty_topic'),
    ]
    expect(await look()).toEqual({ owner: told, member: told, inside: told, outside: [] })
    expect(await channelNamed(member, 'News')).toMatchObject({
      description: 'All **new**',
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
    })
  })

  it('sends no events for unchanged properties of a channel', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    const look = await watch({ owner })
    const same = { new_name: 'general', description: '', is_private: false, folder_id: null, topics_policy: 'inherit' }
    await owner.call('PATCH', `/streams/${id}`, { ...same, message_retention_days: 'realm_default' })
    await owner.call('PATCH', `/streams/${id}`)
    expect(await look()).toEqual({ owner: [] })
  })

  it('lets organization and channel administrators change a channel', async () => {
    const { owner, user } = await server().organization()
    const [admin, other] = [await user('Ada Admin', { role: 200 }), await user('Otto Other')]
    const [named, guest] = [await user('Nina Named'), await user('Gisa Guest', { role: 600 })]
    const moderator = await user('Moe Moderator', { role: 300 })
    await owner.subscribe(['general'], {
      principals: [owner.id, other.id, guest.id],
      can_administer_channel_group: { ...NO_ONE, direct_members: [named.id] },
    })
    const id = await idOf(owner, 'general')
    const look = await watch({ owner })
    for (const actor of [other, guest, moderator]) {
      expect(refusal(await tryToUpdate(actor, id, { description: 'mine' }))).toEqual([400, 'CANNOT_ADMINISTER_CHANNEL'])
      expect(refusal(await actor.try('DELETE', `/streams/${id}`))).toEqual([400, 'CANNOT_ADMINISTER_CHANNEL'])
    }
    expect(await look()).toEqual({ owner: [] })
    await admin.call('PATCH', `/streams/${id}`, { description: 'by an administrator' })
    await named.call('PATCH', `/streams/${id}`, { description: 'by a member' })
    expect((await look()).owner).toHaveLength(2)
  })

  it('refuses changes to a hidden channel as if it were missing', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['secret'], { invite_only: true })
    const id = await idOf(owner, 'secret')
    for (const [method, path, more] of [
      ['PATCH', '/streams/:id', { description: 'x' }],
      ['DELETE', '/streams/:id', {}],
    ] as const) {
      const hidden = await member.try(method, path.replace(':id', String(id)), more)
      const absent = await member.try(method, path.replace(':id', '999999'), more)
      expect(refusal(hidden)).toEqual([400, 'BAD_REQUEST'])
      expect(hidden.body).toEqual(absent.body)
    }
  })

  it('changes no property of a channel if any change in the request is refused', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general', 'other'])
    const id = await idOf(owner, 'general')
    const before = await channelNamed(owner, 'general')
    const look = await watch({ owner })
    for (const wrong of [
      { new_name: 'OTHER' },
      { new_name: '' },
      { new_name: ' \u200b ' },
      { new_name: 'a\u0007b' },
      { new_name: 'x'.repeat(61) },
      { description: '🎉'.repeat(1_025) },
      { folder_id: 999_999 },
      { message_retention_days: 0 },
      { message_retention_days: 'forever' },
      { topics_policy: 'none' },
      { history_public_to_subscribers: false },
      { is_web_public: true },
      { is_private: true, is_web_public: true },
      { is_private: true, is_default_stream: true },
      { is_archived: true },
      { is_archived: false },
      { can_subscribe_group: 7 },
      { can_subscribe_group: { new: 999_999 } },
      { can_subscribe_group: { old: 7 } },
    ]) {
      const { status } = await tryToUpdate(owner, id, { description: 'changed', ...wrong })
      expect({ wrong, status }).toEqual({ wrong, status: 400 })
    }
    expect(await look()).toEqual({ owner: [] })
    expect(await channelNamed(owner, 'general')).toEqual(before)
  })

  it('accepts channel names and descriptions up to the limit in code points, and case-only renames', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    await owner.call('PATCH', `/streams/${id}`, { new_name: 'GENERAL' })
    await owner.call('PATCH', `/streams/${id}`, { new_name: '🎉'.repeat(60), description: '🎉'.repeat(1_024) })
    expect(await channelNamed(owner, '🎉'.repeat(60))).toMatchObject({ stream_id: id })
  })

  it('moves a channel into a folder, and out of it if the folder is null', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    const make = async (name: string): Promise<unknown> =>
      (await owner.call('POST', '/channel_folders/create', { name, description: '' }))['channel_folder_id']
    const [folder, archived] = [await make('One'), await make('Two')]
    await owner.call('PATCH', `/channel_folders/${Number(archived)}`, { is_archived: true })
    const look = await watch({ member })
    expect(refusal(await tryToUpdate(owner, id, { folder_id: archived }))).toEqual([400, 'BAD_REQUEST'])
    await owner.call('PATCH', `/streams/${id}`, { folder_id: folder })
    await owner.call('PATCH', `/streams/${id}`, { folder_id: null })
    expect(await look()).toEqual({
      member: [updateEvent(id, 'general', 'folder_id', folder), updateEvent(id, 'general', 'folder_id', null)],
    })
  })

  it('lets only owners change message retention', async () => {
    const { owner, user } = await server().organization()
    const admin = await user('Ada Admin', { role: 200 })
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    for (const message_retention_days of [7, 'unlimited']) {
      expect(refusal(await tryToUpdate(admin, id, { message_retention_days }))).toEqual([400, 'BAD_REQUEST'])
    }
    const look = await watch({ admin })
    await owner.call('PATCH', `/streams/${id}`, { message_retention_days: 'unlimited' })
    await admin.call('PATCH', `/streams/${id}`, { message_retention_days: 'unlimited' })
    await owner.call('PATCH', `/streams/${id}`, { message_retention_days: 'realm_default' })
    expect(await look()).toEqual({
      admin: [
        updateEvent(id, 'general', 'message_retention_days', -1),
        updateEvent(id, 'general', 'message_retention_days', null),
      ],
    })
  })
})

describe('topics policy changes', () => {
  it('restricts a channel to the empty topic only if other topics have no messages', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general', 'named'])
    const [id, named] = [await idOf(owner, 'general'), await idOf(owner, 'named')]
    await owner.send('general', '', 'hello')
    await owner.send('named', 'topic', 'hello')
    expect(refusal(await tryToUpdate(owner, named, { topics_policy: 'empty_topic_only' }))).toEqual([
      400,
      'BAD_REQUEST',
    ])
    expect(await channelNamed(owner, 'named')).toMatchObject({ topics_policy: 'inherit' })
    await owner.call('PATCH', `/streams/${id}`, { topics_policy: 'empty_topic_only' })
    const { status } = await owner.try('POST', '/messages', { type: 'stream', to: id, topic: 'x', content: 'x' })
    expect(status).toBe(400)
    // A topic counts only if it still has messages.
    const { topics } = await owner.call('GET', `/users/me/${named}/topics`)
    for (const { max_id } of topics) await owner.call('DELETE', `/messages/${String(max_id)}`)
    await owner.call('PATCH', `/streams/${named}`, { topics_policy: 'empty_topic_only' })
  })

  it('lets only permitted people change the topics policy', async () => {
    const organization = await server().organization()
    const { id: organizationId, owner, user } = organization
    const member = await user('Mia Member')
    await member.subscribe(['general'])
    const id = await idOf(member, 'general')
    const nobody = (await groupIds(organization))['role:nobody']
    await changeSettings(server().parley, organizationId, { can_set_topics_policy_group: nobody })
    for (const actor of [member, owner]) {
      expect(refusal(await tryToUpdate(actor, id, { topics_policy: 'allow_empty_topic' }))).toEqual([
        400,
        'BAD_REQUEST',
      ])
    }
  })
})

describe('channel permissions', () => {
  it('rejects a change of a channel permission with a stale old value', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const member = await user('Mia Member')
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    const groups = await groupIds(organization)
    const [everyone, administrators] = [groups['role:everyone'], groups['role:administrators']]
    const look = await watch({ member })
    expect(
      refusal(await tryToUpdate(owner, id, { can_send_message_group: { new: administrators, old: administrators } })),
    ).toEqual([400, 'EXPECTATION_MISMATCH'])
    expect(await look()).toEqual({ member: [] })
    await owner.call('PATCH', `/streams/${id}`, { can_send_message_group: { new: administrators, old: everyone } })
    expect(await look()).toEqual({
      member: [
        updateEvent(id, 'general', 'can_send_message_group', administrators),
        updateEvent(id, 'general', 'stream_post_policy', 2),
        updateEvent(id, 'general', 'is_announcement_only', true),
      ],
    })
    const { status } = await member.try('POST', '/messages', { type: 'stream', to: id, topic: 'x', content: 'x' })
    expect(status).toBe(400)
    // `old` can differ from the stored value in order and form.
    const people = { direct_members: [owner.id, member.id], direct_subgroups: [] }
    for (const change of [
      { new: people, old: { direct_members: [], direct_subgroups: [administrators, administrators] } },
      { new: everyone, old: { direct_members: [member.id, owner.id, member.id], direct_subgroups: [] } },
    ])
      await owner.call('PATCH', `/streams/${id}`, { can_send_message_group: change })
    expect(await channelNamed(owner, 'general')).toMatchObject({ can_send_message_group: everyone })
  })

  it('lets people set every channel permission to a custom group', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['general'])
    const id = await idOf(owner, 'general')
    const names = Object.keys(await channelNamed(owner, 'general')).filter((name) => name.startsWith('can_'))
    expect(names.length).toBeGreaterThanOrEqual(10)
    for (const name of names) {
      const value = { direct_members: [member.id], direct_subgroups: [] }
      const look = await watch({ member })
      await owner.call('PATCH', `/streams/${id}`, { [name]: { new: value } })
      expect(await look()).toEqual({ member: [updateEvent(id, 'general', name, value)] })
      expect((await channelNamed(owner, 'general'))[name]).toEqual(value)
    }
  })

  it('refuses changes to access permissions by administrators who cannot read the channel', async () => {
    const { owner, user } = await server().organization()
    const [member, admin] = [await user('Mia Member'), await user('Ada Admin', { role: 200 })]
    await member.subscribe(['secret'], { invite_only: true })
    const id = await idOf(owner, 'secret')
    const look = await watch({ member, admin })
    const opening = { new: { direct_members: [admin.id], direct_subgroups: [] } }
    for (const changes of [
      { can_add_subscribers_group: opening },
      { can_subscribe_group: opening },
      { is_private: false },
      { history_public_to_subscribers: true },
    ]) {
      const answer = await tryToUpdate(admin, id, changes)
      expect([...refusal(answer), answer.body['msg']]).toEqual([
        400,
        'BAD_REQUEST',
        'Channel content access is required.',
      ])
    }
    expect(await look()).toEqual({ member: [], admin: [] })
    await admin.call('PATCH', `/streams/${id}`, { description: 'ours', can_send_message_group: opening })
    await member.call('PATCH', `/streams/${id}`, { can_subscribe_group: opening })
    await admin.subscribe(['secret'])
    await admin.call('PATCH', `/streams/${id}`, { is_private: false })
  })

  it("lets only permitted people set a channel's message deletion permissions", async () => {
    const { owner, user } = await server().organization()
    const [member, moderator] = [await user('Mia Member'), await user('Moe Moderator', { role: 300 })]
    await member.subscribe(['general'], { principals: [member.id, moderator.id] })
    const id = await idOf(owner, 'general')
    const own = { direct_members: [member.id], direct_subgroups: [] }
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      expect(refusal(await tryToUpdate(member, id, { [name]: { new: own } }))).toEqual([400, 'BAD_REQUEST'])
      const creating = { name: `With ${name}`, subscribers: [member.id], [name]: own }
      expect(refusal(await member.try('POST', '/channels/create', creating))).toEqual([400, 'BAD_REQUEST'])
      await moderator.call('POST', '/channels/create', creating)
      await owner.call('PATCH', `/streams/${id}`, { [name]: { new: own } })
    }
  })
})

describe('changes of default channels', () => {
  it('lets administrators set default channels and notifies everyone except guests', async () => {
    const { owner, user } = await server().organization()
    const [admin, guest] = [await user('Ada Admin', { role: 200 }), await user('Gus Guest', { role: 600 })]
    const member = await user('Mia Member')
    await owner.subscribe(['one', 'two'], { principals: [owner.id, guest.id] })
    const [one, two] = [await idOf(owner, 'one'), await idOf(owner, 'two')]
    const look = await watch({ admin, member, guest })
    await admin.call('POST', '/default_streams', { stream_id: two })
    await owner.call('PATCH', `/streams/${one}`, { is_default_stream: true })
    await admin.call('POST', '/default_streams', { stream_id: one })
    const told = [two, undefined].map((last) => ({
      type: 'default_streams',
      default_streams: last === undefined ? [one, two] : [last],
    }))
    expect(await look()).toEqual({ admin: told, member: told, guest: [] })
    const newcomer = { email: 'new@example.com', password: 'a long password', full_name: 'Nora New' }
    const { user_id } = await owner.call('POST', '/users', newcomer)
    expect(await owner.call('GET', `/users/${user_id}/channels`)).toMatchObject({
      subscribed_channel_ids: [one, two],
    })
    await look()
    await admin.call('DELETE', '/default_streams', { stream_id: two })
    expect((await look()).member).toEqual([{ type: 'default_streams', default_streams: [one] }])
    await admin.call('DELETE', '/default_streams', { stream_id: two })
    expect(await look()).toEqual({ admin: [], member: [], guest: [] })
  })

  it('refuses private, archived, or missing default channels, and any change by a non-administrator', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await member.subscribe(['mine'])
    await owner.subscribe(['secret'], { invite_only: true })
    await owner.subscribe(['old'])
    const [mine, secret, old] = [await idOf(owner, 'mine'), await idOf(owner, 'secret'), await idOf(owner, 'old')]
    await owner.call('DELETE', `/streams/${old}`)
    const look = await watch({ owner })
    for (const [actor, stream_id] of [
      [member, mine],
      [owner, secret],
      [owner, old],
      [owner, 999_999],
    ] as const) {
      expect(refusal(await actor.try('POST', '/default_streams', { stream_id }))).toEqual([400, 'BAD_REQUEST'])
    }
    expect(refusal(await member.try('DELETE', '/default_streams', { stream_id: mine }))).toEqual([400, 'BAD_REQUEST'])
    expect(refusal(await tryToUpdate(member, mine, { is_default_stream: true }))).toEqual([400, 'BAD_REQUEST'])
    await owner.call('POST', '/default_streams', { stream_id: mine })
    expect(refusal(await tryToUpdate(owner, mine, { is_private: true }))).toEqual([400, 'BAD_REQUEST'])
    expect((await look()).owner).toEqual([{ type: 'default_streams', default_streams: [mine] }])
  })
})

import { describe, expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { expectFull } from '../../testing/full.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { GROUP_LIMIT, GROUPED_CHANNEL_LIMIT } from './contract.ts'

const server = useTestServer()

const GROUPS_PATH = '/default_stream_groups'

async function createGroup(user: TestUser, group_name: string, stream_names: readonly string[] = []): Promise<number> {
  await user.call('POST', `${GROUPS_PATH}/create`, { group_name, description: 'For all', stream_names })
  const made = (await listGroups(user)).find(({ name }) => name === group_name)
  return Number(made?.['id'])
}

async function listGroups(user: TestUser): Promise<Body[]> {
  const { state } = await user.register({ fetch_event_types: ['default_stream_groups'] })
  return state['realm_default_stream_groups'] // safe: declared by the contract
}

async function channelId(user: TestUser, stream: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream }))['stream_id']
}

function groupsEvent(...default_stream_groups: readonly Body[]): Body {
  return { type: 'default_stream_groups', default_stream_groups }
}

it('creates, changes, and deletes default channel groups and notifies non-guests', async () => {
  const { owner, user } = await server().organization()
  const [ada, mia, gus] = [await user('Ada', { role: 200 }), await user('Mia'), await user('Gus', { role: 600 })]
  await owner.subscribe(['design', 'code'])
  const [design, code] = [await channelId(owner, 'design'), await channelId(owner, 'code')]
  const look = await watch({ owner, ada, mia, gus })
  const described = { description: ' For all ', stream_names: ['code', 'code', ' design '] }
  await ada.call('POST', `${GROUPS_PATH}/create`, { group_name: ' Makers ', ...described })
  const [made] = await listGroups(mia)
  expect(made).toEqual({
    id: anyNumber,
    name: 'Makers',
    description: 'For all',
    streams: [design, code],
  })
  const path = `${GROUPS_PATH}/${String(made?.['id'])}`
  await owner.call('PATCH', path, { new_group_name: 'Builders', new_description: 'Who build' })
  await ada.call('PATCH', `${path}/streams`, { op: 'remove', stream_names: ['design'] })
  await ada.call('PATCH', `${path}/streams`, { op: 'add', stream_names: ['DESIGN'] })
  await ada.call('PATCH', path, { new_group_name: ' Builders' })
  await ada.call('PATCH', `${path}/streams`, { op: 'add', stream_names: [] })
  expect(await listGroups(mia)).toEqual([{ ...made, name: 'Builders', description: 'Who build' }])
  expect(await listGroups(gus)).toEqual([])
  await ada.call('DELETE', path)
  expect(await listGroups(mia)).toEqual([])
  const built = { ...made, name: 'Builders', description: 'Who build' }
  const told = [
    groupsEvent(made ?? {}),
    groupsEvent(built),
    groupsEvent({ ...built, streams: [code] }),
    groupsEvent(built),
    groupsEvent(),
  ]
  expect(await look()).toEqual({ owner: told, ada: told, mia: told, gus: [] })
})

it('lets only administrators change default channel groups, without revealing which groups exist', async () => {
  const { owner, user } = await server().organization()
  await owner.subscribe(['secret'], { invite_only: true })
  const id = await createGroup(owner, 'Makers')
  const before = await listGroups(owner)
  const look = await watch({ owner })
  for (const role of [300, 400, 600] as const) {
    const somebody = await user(`Role ${role}`, { role })
    await look()
    const answers: Answer[] = []
    for (const group of [id, 999_999]) {
      for (const stream of ['secret', 'nothing']) {
        const described = { description: 'x', stream_names: [stream] }
        answers.push(await somebody.try('POST', `${GROUPS_PATH}/create`, { group_name: 'Makers', ...described }))
        answers.push(
          await somebody.try('PATCH', `${GROUPS_PATH}/${group}/streams`, { op: 'add', stream_names: [stream] }),
        )
      }
      answers.push(await somebody.try('PATCH', `${GROUPS_PATH}/${group}`, { new_group_name: 'Mine' }))
      answers.push(await somebody.try('DELETE', `${GROUPS_PATH}/${group}`))
    }
    for (const { status, body } of answers) {
      expect([status, body['msg']]).toEqual([400, 'Must be an organization administrator'])
    }
    expect(await look()).toEqual({ owner: [] })
  }
  expect(await listGroups(owner)).toEqual(before)
})

it('rejects default channel groups with invalid names or channels', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['code', 'design'])
  const [first, second] = [await createGroup(owner, 'Straße', ['code']), await createGroup(owner, 'Weg')]
  const look = await watch({ owner })
  const before = await listGroups(owner)
  const create = async (group_name: string, description = 'x', stream_names: unknown = []): Promise<Answer> =>
    owner.try('POST', `${GROUPS_PATH}/create`, { group_name, description, stream_names })
  const change = async (changes: Body): Promise<Answer> => owner.try('PATCH', `${GROUPS_PATH}/${second}`, changes)
  const fill = async (op: string, ...stream_names: readonly unknown[]): Promise<Answer> =>
    owner.try('PATCH', `${GROUPS_PATH}/${first}/streams`, { op, stream_names })
  const refusals: [Answer, string][] = [
    [await create('STRAßE '), "Default channel group 'STRAßE' already exists"],
    [await create(' '), "Default channel group name can't be empty."],
    [await create('\u200b'), "Default channel group name can't be empty."],
    [await create('a\u0007b'), 'Invalid character in default channel group name.'],
    [await create('😀'.repeat(61)), 'group_name is too long (limit: 60 characters)'],
    [await create('New', '😀'.repeat(1_025)), 'description is too long (limit: 1024 characters)'],
    [await create('New', ' '), "Default channel group description can't be empty."],
    [await create('New', 'x', ['nowhere']), "Channel 'nowhere' does not exist"],
    [await change({ new_group_name: 'straße' }), "Default channel group 'straße' already exists"],
    [await change({ new_description: '' }), "Default channel group description can't be empty."],
    [await change({}), 'You must pass "new_description" or "new_group_name".'],
    [await fill('add', 'design', 'code'), "Channel 'code' is already present in default channel group 'Straße'"],
    [await fill('remove', 'code', 'design'), "Channel 'design' is not present in default channel group 'Straße'"],
    [await fill('add', 'nowhere'), "Channel 'nowhere' does not exist"],
    [await owner.try('DELETE', `${GROUPS_PATH}/999999`), "Default channel group with id '999999' does not exist."],
  ]
  for (const [{ status, body }, message] of refusals) expect([status, body['msg']]).toEqual([400, message])
  for (const { status } of [await fill('swap'), await fill('add', 7), await create('New', 'x', 'code')]) {
    expect(status).toBe(400)
  }
  expect(await look()).toEqual({ owner: [] })
  expect(await listGroups(owner)).toEqual(before)
  // The new name differs only in case.
  expect((await change({ new_group_name: 'WEG' })).status).toBe(200)
})

describe('channels in default channel groups', () => {
  it('rejects private, archived, and default channels in a default channel group', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['hidden'], { invite_only: true })
    await owner.subscribe(['old'])
    await owner.subscribe(['all'], { is_default_stream: true })
    await owner.call('DELETE', `/streams/${await channelId(owner, 'old')}`)
    const group = await createGroup(owner, 'Any')
    for (const [name, why] of [
      ['hidden', 'private'],
      ['old', 'archived'],
      ['all', 'a default channel'],
    ] as const) {
      const { status, body } = await owner.try('PATCH', `${GROUPS_PATH}/${group}/streams`, {
        op: 'add',
        stream_names: [name],
      })
      expect([status, body['msg']]).toEqual([400, `'${name}' is ${why} and cannot be added to 'Any'`])
    }
    expect(await listGroups(owner)).toMatchObject([{ streams: [] }])
  })

  it('removes channels that become private, archived, or default from default channel groups', async () => {
    const { owner, user } = await server().organization()
    const [mia, gus] = [await user('Mia'), await user('Gus', { role: 600 })]
    await owner.subscribe(['one', 'two', 'three', 'four'])
    const ids = await Promise.all(['one', 'two', 'three', 'four'].map((name) => channelId(owner, name)))
    const [one, two, three, four] = ids
    await createGroup(owner, 'A', ['one', 'two', 'three', 'four'])
    await createGroup(owner, 'B', ['one'])
    const registered = { event_types: ['default_stream_groups'] }
    const look = await watch({ mia, gus }, registered)
    await owner.call('PATCH', `/streams/${one}`, { is_private: true })
    await owner.call('DELETE', `/streams/${two}`)
    await owner.call('POST', '/default_streams', { stream_id: three })
    await owner.call('PATCH', `/streams/${four}`, { description: 'Nothing of it' })
    const [a, b] = await listGroups(mia)
    expect([a, b]).toMatchObject([{ streams: [four] }, { streams: [] }])
    expect(await look()).toEqual({
      mia: [
        groupsEvent({ ...a, streams: [two, three, four] }, { ...b }),
        groupsEvent({ ...a, streams: [three, four] }, { ...b }),
        groupsEvent({ ...a }, { ...b }),
      ],
      gus: [],
    })
  })
})

it('updates default channel groups for people who become or stop being guests', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia')
  await createGroup(owner, 'Any')
  const [known] = await listGroups(owner)
  const look = await watch({ owner, mia }, { event_types: ['default_stream_groups'] })
  await owner.call('PATCH', `/users/${mia.id}`, { role: 600 })
  expect(await listGroups(mia)).toEqual([])
  await owner.call('PATCH', `/users/${mia.id}`, { role: 300 })
  await owner.call('PATCH', `/users/${mia.id}`, { role: 400 })
  expect(await listGroups(mia)).toEqual([known])
  expect(await look()).toEqual({ owner: [], mia: [groupsEvent(), groupsEvent(known ?? {})] })
})

describe('limits of default channel groups', () => {
  it('refuses more than 100 default channel groups', async () => {
    await expectFull(GROUP_LIMIT, {
      fill: [
        `insert into default_channel_groups (organization_id, id, name, name_key, description, channel_ids)
         select $1, 1000000 + n, 'g' || n, 'g' || n, 'x', '{}' from generate_series(1, $3::int) n where $2 > 0`,
      ],
      make: (owner) =>
        owner.try('POST', `${GROUPS_PATH}/create`, { group_name: 'More', description: 'x', stream_names: [] }),
      refusal: 'An organization can have at most 100 default channel groups.',
    })
  })

  it('refuses more than 1,000 channels across default channel groups', async () => {
    await expectFull(GROUPED_CHANNEL_LIMIT, {
      fill: [
        `insert into default_channel_groups (organization_id, id, name, name_key, description, channel_ids)
         select $1, 1000001, 'g', 'g', 'x', (select array_agg(2000000 + n) from generate_series(1, $3::int) n) where $2 > 0`,
      ],
      make: (owner) =>
        owner.try('POST', `${GROUPS_PATH}/create`, { group_name: 'More', description: 'x', stream_names: ['first'] }),
      refusal: 'Default channel groups cannot have more than 1000 channels.',
    })
  })
})

import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

it('refuses to mention a group with a subgroup that the sender cannot mention', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, bob.id] })
  const make = async (by: TestUser, name: string, more: Body): Promise<number> =>
    (await by.call('POST', '/user_groups/create', { name, description: '', members: [], ...more }))['group_id']
  const only = { direct_members: [owner.id], direct_subgroups: [] }
  const quiet = await make(owner, 'quiet', { members: [bob.id], can_mention_group: only })
  const around = await make(ann, 'around', { subgroups: [quiet] })
  await make(ann, 'outer', { subgroups: [around] })
  const groups = (await owner.call('GET', '/user_groups'))['user_groups']
  const idOf = (name: string): number => Number(groups.find((group) => group['name'] === name)?.['id'])
  await make(ann, 'all', { subgroups: [idOf('role:members')] })
  const look = await watch({ bob }, { event_types: ['message'] })
  for (const [name, refused] of [
    ['around', 'quiet'],
    ['outer', 'quiet'],
    ['all', 'role:members'],
  ] as const) {
    const message = { type: 'stream', to: 'general', topic: 'hello', content: `@*${name}*` }
    const { status, body } = await ann.try('POST', '/messages', message)
    expect([status, body['code'], body['msg']]).toEqual([
      400,
      'BAD_REQUEST',
      `You are not allowed to mention user group '${refused}'.`,
    ])
  }
  expect(await look()).toEqual({ bob: [] })
  for (const name of ['around', 'outer', 'all']) await owner.send('general', 'hello', `@*${name}*`)
  const flags = (await look()).bob.map((event) => event['flags'])
  expect(flags).toEqual([['mentioned'], ['mentioned'], ['mentioned']])
})

it('shows a mention of a deactivated group to everyone without notifying its members', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia')
  const only = { direct_members: [owner.id], direct_subgroups: [] }
  const team = { name: 'Team', description: '', members: [mia.id], can_mention_group: only }
  const { group_id } = await owner.call('POST', '/user_groups/create', team)
  await owner.call('POST', `/user_groups/${group_id}/deactivate`)
  const look = await watch({ owner, mia }, { event_types: ['message'] })
  await mia.sendTo([owner.id], '@*team*')
  const content = `<p><span class="user-group-mention silent" data-user-group-id="${group_id}">Team</span></p>`
  expect(await look()).toMatchObject({
    owner: [{ flags: [], message: { content } }],
    mia: [{ flags: [], message: { content } }],
  })
})

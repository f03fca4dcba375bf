import { expect, it } from 'vitest'
import { upload } from '../../testing/files.ts'
import { runAfterReading } from '../../testing/meanwhile.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

type Permission = 'direct_message_initiator_group' | 'direct_message_permission_group'

interface Scene extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly only: (name: Permission, people: readonly TestUser[]) => Promise<void>
}

async function createScene(): Promise<Scene> {
  const organization = await server().organization()
  const [ann, bob] = [await organization.user('Ann'), await organization.user('Bob')]
  const only = async (name: Permission, people: readonly TestUser[]): Promise<void> => {
    const value = { direct_members: people.map(({ id }) => id), direct_subgroups: [] }
    await organization.owner.call('PATCH', '/realm', { [name]: { new: value } })
  }
  return { ...organization, ann, bob, only }
}

async function trySending(sender: TestUser, to: readonly TestUser[], content = 'Hello'): Promise<string> {
  const message = { type: 'direct', to: to.map(({ id }) => id), content }
  const { status, body } = await sender.try('POST', '/messages', message)
  return status === 200 ? 'sent' : `${status} ${String(body['code'])} ${String(body['msg'])}`
}

const MAY_NOT_START_CONVERSATION =
  '400 BAD_REQUEST You do not have permission to initiate direct message conversations.'
const DIRECT_MESSAGES_DISABLED = '400 BAD_REQUEST Direct messages are disabled in this organization.'

it('lets only people in direct_message_initiator_group start conversations', async () => {
  const { owner, ann, bob, only } = await createScene()
  await only('direct_message_initiator_group', [owner])
  const look = await watch({ owner, ann, bob })
  expect(await trySending(ann, [bob])).toBe(MAY_NOT_START_CONVERSATION)
  expect(await trySending(ann, [owner])).toBe(MAY_NOT_START_CONVERSATION)
  expect(await trySending(ann, [bob, owner])).toBe(MAY_NOT_START_CONVERSATION)
  expect(await look()).toEqual({ owner: [], ann: [], bob: [] })
  expect(await trySending(owner, [ann])).toBe('sent')
  expect(await look()).toMatchObject({ owner: [{ type: 'message' }], ann: [{ type: 'message' }], bob: [] })
})

it('lets people who cannot start conversations reply in existing conversations', async () => {
  const { owner, ann, bob, only } = await createScene()
  await only('direct_message_initiator_group', [owner])
  await owner.sendTo([ann.id, bob.id], 'Hello, both')
  const look = await watch({ owner, ann, bob })
  expect(await trySending(ann, [bob, owner])).toBe('sent')
  expect(await trySending(ann, [owner, ann, bob])).toBe('sent')
  expect(await trySending(ann, [owner])).toBe(MAY_NOT_START_CONVERSATION)
  expect(await trySending(bob, [ann])).toBe(MAY_NOT_START_CONVERSATION)
  const two = [{ type: 'message' }, { type: 'message' }]
  expect(await look()).toMatchObject({ owner: two, ann: two, bob: two })
})

it('treats a conversation without messages as not started', async () => {
  const { owner, ann, bob, only } = await createScene()
  const [first, second] = [await ann.sendTo([bob.id], 'One'), await bob.sendTo([ann.id], 'Two')]
  await only('direct_message_initiator_group', [owner])
  await only('direct_message_permission_group', [owner, ann, bob])
  await owner.call('PATCH', '/realm', {
    can_delete_any_message_group: { new: { direct_members: [ann.id], direct_subgroups: [] } },
  })
  await ann.call('DELETE', `/messages/${first}`)
  expect(await trySending(ann, [bob])).toBe('sent')
  const { messages } = await ann.call('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
  expect(messages.map(({ id }) => id)).toContain(second)
  for (const { id } of messages) await ann.call('DELETE', `/messages/${id}`)
  expect([await trySending(ann, [bob]), await trySending(bob, [ann])]).toEqual([
    MAY_NOT_START_CONVERSATION,
    MAY_NOT_START_CONVERSATION,
  ])
})

it('always allows direct messages to oneself or only to bots', async () => {
  const { ann, bob, only, user } = await createScene()
  const robot = await user('Robot', { bot: { ownerId: bob.id } })
  await only('direct_message_initiator_group', [])
  await only('direct_message_permission_group', [])
  expect([await trySending(ann, [ann]), await trySending(ann, [robot]), await trySending(ann, [ann, robot])]).toEqual([
    'sent',
    'sent',
    'sent',
  ])
  expect([await trySending(ann, [robot, bob]), await trySending(robot, [ann])]).toEqual([
    DIRECT_MESSAGES_DISABLED,
    DIRECT_MESSAGES_DISABLED,
  ])
})

it('requires a member of direct_message_permission_group in the conversation', async () => {
  const { owner, ann, bob, only } = await createScene()
  await ann.sendTo([bob.id], 'Before')
  await only('direct_message_permission_group', [owner])
  const look = await watch({ owner, ann, bob })
  expect(await trySending(ann, [bob])).toBe(DIRECT_MESSAGES_DISABLED)
  expect(await look()).toEqual({ owner: [], ann: [], bob: [] })
  expect([await trySending(ann, [owner]), await trySending(ann, [bob, owner]), await trySending(owner, [bob])]).toEqual(
    ['sent', 'sent', 'sent'],
  )
})

it('applies membership changes of the group that can start conversations', async () => {
  const { owner, ann, bob } = await createScene()
  const { group_id } = await owner.call('POST', '/user_groups/create', {
    name: 'openers',
    description: '',
    members: [ann.id],
  })
  await owner.call('PATCH', '/realm', { direct_message_initiator_group: { new: group_id } })
  expect(await trySending(bob, [ann])).toBe(MAY_NOT_START_CONVERSATION)
  await owner.call('POST', `/user_groups/${group_id}/members`, { add: [bob.id], delete: [ann.id] })
  expect([await trySending(ann, [bob]), await trySending(bob, [ann])]).toEqual([MAY_NOT_START_CONVERSATION, 'sent'])
})

/** Sends a message, and runs an action after the message was checked and rendered but before it is written. */
async function sendDuring(sender: TestUser, to: readonly TestUser[], action: () => Promise<unknown>): Promise<string> {
  const content = `[a file](${await upload(sender, 'a.txt', 'a')})`
  const hasHappened = runAfterReading(server().parley, 'attachments_by_path', action)
  const outcome = await trySending(sender, to, content)
  expect(hasHappened()).toBe(true)
  return outcome
}

it('rechecks permission to send a direct message after rendering the message', async () => {
  const { owner, ann, bob, only } = await createScene()
  await ann.sendTo([bob.id], 'Before')
  const look = await watch({ ann, bob }, { event_types: ['message'] })
  const forbid = (): Promise<void> => only('direct_message_permission_group', [owner])
  expect(await sendDuring(ann, [bob], forbid)).toBe(DIRECT_MESSAGES_DISABLED)
  expect(await look()).toEqual({ ann: [], bob: [] })
  await only('direct_message_permission_group', [ann])
  const lookAlone = await watch({ ann }, { event_types: ['message'] })
  expect(await sendDuring(ann, [bob], () => owner.call('DELETE', `/users/${bob.id}`))).toContain('no longer using')
  expect(await lookAlone()).toEqual({ ann: [] })
})

it('rechecks permission to start a conversation when the message is sent', async () => {
  const { owner, ann, bob, only } = await createScene()
  const first = await ann.sendTo([bob.id], 'Begun')
  const look = await watch({ ann, bob }, { event_types: ['message'] })
  const forbid = (): Promise<void> => only('direct_message_initiator_group', [owner])
  expect(await sendDuring(ann, [bob], forbid)).toBe('sent')
  const second = (await look()).bob[0]?.message?.id
  await owner.call('PATCH', '/realm', {
    can_delete_any_message_group: { new: { direct_members: [ann.id], direct_subgroups: [] } },
  })
  await ann.call('DELETE', `/messages/${first}`)
  const clear = (): Promise<unknown> => ann.call('DELETE', `/messages/${second}`)
  expect(await sendDuring(ann, [bob], clear)).toBe(MAY_NOT_START_CONVERSATION)
  expect(await look()).toEqual({ ann: [], bob: [] })
})

it.each(['direct_message_initiator_group', 'direct_message_permission_group'] as const)(
  'starts no conversation when %s changes while a message is being sent',
  async (name) => {
    const { id, owner, ann, bob, only } = await createScene()
    const hasHappened = runAfterReading(server().parley, 'conversation_by_members', () => only(name, [owner]))
    expect(await trySending(ann, [bob])).toBe(
      name === 'direct_message_initiator_group' ? MAY_NOT_START_CONVERSATION : DIRECT_MESSAGES_DISABLED,
    )
    expect(hasHappened()).toBe(true)
    const { kysely } = server().parley.database
    const begun = kysely.selectFrom('conversations').select('id').where('organization_id', '=', id)
    expect(await begun.execute()).toEqual([])
  },
)

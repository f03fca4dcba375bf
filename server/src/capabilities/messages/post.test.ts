import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { channelByName } from '../channels/queries/index.ts'
import { notificationBot } from '../users/queries/index.ts'
import { prepareNotice, postMessages } from './actions/post.ts'

const server = useTestServer()

it("posts messages in another action's transaction, and none if the action fails", async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const [owners, anns] = [await owner.register(), await ann.register()]
  const log = await server().parley.logs.of(id)
  const facts = server().parley.facts
  const post = async (fail: boolean): Promise<number[]> =>
    log.write(async (tx) => {
      const channel = channelByName(tx.organization, 'news')
      if (channel === undefined) throw new Error('no such channel')
      const posted = await postMessages(tx, [
        await prepareNotice(tx, facts, { channel, topic: 'changes' }, 'About **#news**: #**news**'),
        await prepareNotice(tx, facts, { userId: ann.id }, 'Only for you'),
        await prepareNotice(tx, facts, { channel, topic: 'changes' }, 'And more'),
      ])
      if (fail) throw new Error('undone')
      return posted
    })
  await expect(post(true)).rejects.toThrow('undone')
  const [first, direct, second] = await post(false)

  const bot = notificationBot(log.organization)
  const from = { sender_id: bot.id, sender_full_name: 'Notification Bot', sender_email: bot.email }
  expect(await owners.events()).toMatchObject([
    { type: 'message', message: { ...from, id: first, subject: 'changes', display_recipient: 'news' } },
    { type: 'message', message: { ...from, id: second, content: '<p>And more</p>' } },
    { type: 'stream', property: 'first_message_id', value: first },
  ])
  expect(await anns.events()).toMatchObject([
    { type: 'message', message: { ...from, id: direct, type: 'private' } },
    { type: 'stream', property: 'first_message_id', value: first },
  ])
  const { state } = await ann.register()
  expect(state['unread_msgs']).toMatchObject({ pms: [{ other_user_id: bot.id, unread_message_ids: [direct] }] })
})

it('lists the notification bot separately and refuses to manage or subscribe it', async () => {
  const { owner } = await server().organization()
  const { state } = await owner.register()
  const [bot] = state['cross_realm_bots']
  expect(bot).toMatchObject({ full_name: 'Notification Bot', is_bot: true, is_system_bot: true, role: 400 })
  const id = Number(bot?.['user_id'])
  const listed = (body: Body, field: string): unknown[] => objectsIn(body[field]).map((one) => one['user_id'])
  expect(listed(state, 'realm_users')).toEqual([owner.id])
  expect(listed(await owner.call('GET', '/users'), 'members')).toEqual([owner.id])
  expect(await owner.call('GET', '/users', { user_ids: [id] })).toMatchObject({ members: [] })
  expect(await owner.call('GET', `/users/${id}`)).toMatchObject({ user: { full_name: 'Notification Bot' } })
  const queue = await owner.register()
  const refused = await Promise.all([
    owner.try('PATCH', `/users/${id}`, { full_name: 'Mine' }),
    owner.try('DELETE', `/users/${id}`),
    owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'x' }], principals: [id] }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
  expect(await queue.events()).toEqual([])
})

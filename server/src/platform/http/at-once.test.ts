import { expect, it } from 'vitest'
import { blockWriter } from '../../testing/hold.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

interface Scene extends TestOrganization {
  readonly ann: TestUser
  readonly channel: number
  readonly message: number
  readonly everyone: unknown
}

async function createScene(): Promise<Scene> {
  const organization = await server().organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const message = await owner.send('news', 'hello', 'hello')
  const { stream } = await owner.call('GET', `/streams/${stream_id}`)
  const everyone = stream['can_send_message_group']
  return { ...organization, ann, channel: stream_id, message, everyone }
}

type RequestArguments = readonly [method: string, path: string, parameters: Parameters]
const NAVIGATION_VIEW = { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' }

it.each<[what: string, ask: (scene: Scene, turn: number) => RequestArguments, code: string, type: string]>([
  [
    'a channel',
    () => ['POST', '/channels/create', { name: 'plans', subscribers: [] }],
    'CHANNEL_ALREADY_EXISTS',
    'stream',
  ],
  [
    'a user group',
    () => ['POST', '/user_groups/create', { name: 'Team', description: '', members: [] }],
    'BAD_REQUEST',
    'user_group',
  ],
  [
    'a channel folder',
    () => ['POST', '/channel_folders/create', { name: 'Works', description: '' }],
    'BAD_REQUEST',
    'channel_folder',
  ],
  ['a navigation view', () => ['POST', '/navigation_views', NAVIGATION_VIEW], 'BAD_REQUEST', 'navigation_view'],
  [
    'a playground',
    () => [
      'POST',
      '/realm/playgrounds',
      { name: 'Run', highlighter_language: 'Rust', url_template: 'https://x.example/{code}' },
    ],
    'BAD_REQUEST',
    'realm_playgrounds',
  ],
  [
    'a linkifier',
    () => ['POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }],
    'BAD_REQUEST',
    'realm_linkifiers',
  ],
  [
    'a reaction',
    ({ message }) => ['POST', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
    'REACTION_ALREADY_EXISTS',
    'reaction',
  ],
  [
    'a channel setting from the same old value',
    ({ channel, ann, everyone }, turn) => [
      'PATCH',
      `/streams/${channel}`,
      {
        can_send_message_group: { new: { direct_members: [ann.id].slice(turn), direct_subgroups: [] }, old: everyone },
      },
    ],
    'EXPECTATION_MISMATCH',
    'stream',
  ],
])('creates or changes %s once when two requests run concurrently', async (_, ask, code, type) => {
  const organization = await createScene()
  const { owner } = organization
  const look = await watch({ owner }, { event_types: [type] })
  const release = await blockWriter(server().parley, organization)
  const waiting = [0, 1].map(async (turn): Promise<Answer> => owner.try(...ask(organization, turn)))
  // Both requests are now blocked before their first change.
  await owner.call('GET', '/users/me')
  release()
  const answers = await Promise.all(waiting)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject([{ body: { code } }])
  const { owner: told } = await look()
  expect(new Set(told.map(({ op }) => op)).size).toBe(1)
  // Setting changes are also sent under their legacy names.
  expect(
    told.filter(({ property }) => property !== 'stream_post_policy' && property !== 'is_announcement_only'),
  ).toHaveLength(1)
})

it('unsubscribes a person from a channel once when two requests to leave run concurrently', async () => {
  const organization = await createScene()
  const { owner, ann } = organization
  const look = await watch({ owner })
  const release = await blockWriter(server().parley, organization)
  const waiting = [1, 2].map(() => ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['news'] }))
  await ann.call('GET', '/users/me')
  release()
  const answers = await Promise.all(waiting)
  expect(answers.map(({ removed }) => removed)).toEqual(expect.arrayContaining([['news'], []]))
  expect(answers.map(({ not_removed }) => not_removed)).toEqual(expect.arrayContaining([['news'], []]))
  expect((await look()).owner).toMatchObject([{ op: 'peer_remove', user_ids: [ann.id] }])
})

import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const REQUIRED_PARAMETERS = {
  'POST /messages': { type: 'direct', to: [1], content: 'x' },
  'POST /scheduled_messages': { type: 'direct', to: [1], content: 'x', scheduled_delivery_timestamp: 4_000_000_000 },
  'POST /users/me/subscriptions': { subscriptions: [] },
  'DELETE /users/me/subscriptions': { subscriptions: [] },
  'POST /channels/create': { name: 'x', subscribers: [] },
  'GET /messages/matches_narrow': { msg_ids: [1], narrow: [] },
  'POST /messages/flags/narrow': { anchor: 'newest', num_before: 0, num_after: 0, narrow: [], op: 'add', flag: 'read' },
  'POST /user_topics': { stream_id: 1, topic: 'x', visibility_policy: 1 },
  'POST /channel_folders/create': { name: 'x', description: '' },
  'POST /user_groups/create': { name: 'x', description: '', members: [] },
  'POST /navigation_views': { fragment: 'x', is_pinned: true },
  'POST /realm/playgrounds': { name: 'x', highlighter_language: 'x', url_template: 'https://x.example/{code}' },
  'PATCH /realm/filters/1': { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' },
} as const

it.each(Object.entries(REQUIRED_PARAMETERS))(
  '%s names each missing required parameter and changes nothing',
  async (line, needed) => {
    const { owner } = await server().organization()
    const [method = '', path = ''] = line.split(' ')
    const look = await watch({ owner })
    for (const missing of Object.keys(needed)) {
      const rest = Object.fromEntries(Object.entries(needed).filter(([name]) => name !== missing))
      expect(await owner.try(method, path, rest)).toMatchObject({
        status: 400,
        body: { code: 'REQUEST_VARIABLE_MISSING', var_name: missing },
      })
    }
    expect(await look()).toEqual({ owner: [] })
  },
)

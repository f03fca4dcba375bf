import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { INBOX_QUERY, createTwins, type Twin } from './testing/twins.ts'

const server = useTestServer()

async function visibleState({ people }: Twin): Promise<unknown> {
  return Promise.all(
    people.map(async (person) => {
      const {
        queue_id: _,
        server_timestamp: __,
        ...state
      } = await person.call('POST', '/register', {
        client_capabilities: ALL_CAPABILITIES,
        include_subscribers: 'true',
      })
      const reads = ['/users', '/users/me', '/streams', '/user_groups', '/users/me/subscriptions', '/server_settings']
      const answers = await Promise.all(reads.map(async (path) => person.call('GET', path)))
      return { state, answers, inbox: await person.call('GET', '/messages', INBOX_QUERY) }
    }),
  )
}

const STEP_KINDS = [
  'create',
  'private',
  'leave',
  'send',
  'whisper',
  'read',
  'rename',
  'role',
  'end',
  'resume',
  'join',
] as const
type Step = readonly [kind: (typeof STEP_KINDS)[number], who: number, what: number]
const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...STEP_KINDS), fc.nat(1), fc.nat(20))

/** Runs a step in one organization; the server may refuse the step. */
async function performStep({ people }: Twin, [kind, who, what]: Step): Promise<void> {
  const actor = people[who]
  const other = people[1 - who]
  if (actor === undefined || other === undefined) return
  const name = ['general', 'random', 'secret', 'new'][what % 4] ?? ''
  const path = '/users/me/subscriptions'
  const subscriptions = [{ name }]
  switch (kind) {
    case 'create':
      await actor.try('POST', path, { subscriptions: [{ name: `new ${what}` }], principals: [actor.id, other.id] })
      return
    case 'private':
      await actor.try('POST', path, { subscriptions: [{ name: `hush ${what}` }], invite_only: true })
      return
    case 'leave':
      await actor.try('DELETE', path, { subscriptions: [name] })
      return
    case 'join':
      await actor.try('POST', path, { subscriptions })
      return
    case 'send':
      await actor.try('POST', '/messages', { type: 'stream', to: name, topic: 'hello', content: `Number ${what}` })
      return
    case 'whisper':
      await actor.try('POST', '/messages', { type: 'direct', to: [other.id], content: `Number ${what}` })
      return
    case 'read': {
      const { body } = await actor.try('GET', '/messages', INBOX_QUERY)
      const messages = (body['messages'] ?? []).map((message) => message['id'])
      await actor.try('POST', '/messages/flags', { messages, op: 'add', flag: what % 2 === 0 ? 'read' : 'starred' })
      return
    }
    case 'rename':
      await actor.try('PATCH', `/users/${other.id}`, { full_name: `Name ${what}` })
      return
    case 'role':
      await actor.try('PATCH', `/users/${other.id}`, { role: [200, 300, 400, 600][what % 4] })
      return
    case 'end':
      await actor.try('DELETE', `/users/${other.id}`)
      return
    case 'resume':
      await actor.try('POST', `/users/${other.id}/reactivate`)
      await other.fetchApiKey()
  }
}

it('reveals nothing about actions in another organization on the same server', async () => {
  const [first, second] = await createTwins(server())
  const [before, firstBefore] = [await visibleState(second), await visibleState(first)]
  const look = await watch({ owner: second.owner, mia: second.people[1] ?? second.owner })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
      for (const one of steps) await performStep(first, one)
      // Reactivates deactivated users: their later steps would all be refused.
      for (const person of first.people) {
        await first.owner.try('POST', `/users/${person.id}/reactivate`)
        await person.fetchApiKey()
      }
      expect(await look()).toEqual({ owner: [], mia: [] })
      expect(await visibleState(second)).toEqual(before)
    }),
    { numRuns: effort(12) },
  )
  expect(await visibleState(first)).not.toEqual(firstBefore)
})

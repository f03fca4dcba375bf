/*
 * Two servers on one database, each busy with the sends of others. What was done at one of them holds at the other one when
 * the answer is there: new accounts with their keys, and channels.
 */
import type pg from 'pg'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { basic, callApi, TestUser, type Answer } from '../server/src/testing/user.ts'
import { persist } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

const ROUNDS = effort(30)
const SENDERS = 4
const HEADER = 'parley-position'
const TIMEOUT_MILLISECONDS = 600_000

function urlOf({ host, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`
}

it(
  'knows at one server what was done at another',
  async () => {
    const here = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
    const { owner, user } = await here.organization('Shared', { stringId: '' })
    await owner.subscribe(['general'])
    const node = await ServerProcess.start({ DATABASE_URL: urlOf(here.database), PARLEY_LOG_LEVEL: 'silent' })
    const at = ({ host, email, apiKey, id }: TestUser): TestUser => new TestUser(node.url, host, email, apiKey, id)
    const ending = new AbortController()
    const wrong: Record<string, number> = { key: 0, user: 0, channel: 0 }
    const failed = (what: string): void => {
      wrong[what] = (wrong[what] ?? 0) + 1
    }
    try {
      await persist(at(owner), 'GET', '/users/me', {}, { random: new Random(1), over: ending.signal })
      const sending = Array.from({ length: SENDERS }, async (_, sender) => {
        const through = sender % 2 === 0 ? owner : at(owner)
        while (!ending.signal.aborted) await through.send('general', 'busy', `From ${sender}`)
      })
      const saying = async (told: Answer, path: string, parameters = {}): Promise<Answer> => {
        const headers = { authorization: basic(owner.email, owner.apiKey), [HEADER]: String(told.headers[HEADER]) }
        return callApi(node.url, owner.host, 'GET', path, parameters, { headers })
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        const somebody = await user(`Somebody ${round}`)
        if ((await at(somebody).try('GET', '/users/me')).status !== 200) failed('key')
        const named = await owner.try('PATCH', `/users/${somebody.id}`, { full_name: `Renamed ${round}` })
        const shown = await saying(named, `/users/${somebody.id}`)
        if (JSON.stringify(shown.body).includes(`Somebody ${round}`)) failed('user')
        const subscriptions = JSON.stringify([{ name: `Channel ${round}` }])
        const made = await owner.try('POST', '/users/me/subscriptions', { subscriptions })
        if ((await saying(made, '/get_stream_id', { stream: `Channel ${round}` })).status !== 200) failed('channel')
      }
      ending.abort()
      await Promise.all(sending)
      process.stdout.write(`read your writes: of ${ROUNDS} each, wrong: ${JSON.stringify(wrong)}\n`)
      expect(wrong).toEqual({ key: 0, user: 0, channel: 0 })
    } finally {
      ending.abort()
      await node.close()
      await here.close()
    }
    expect(node.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

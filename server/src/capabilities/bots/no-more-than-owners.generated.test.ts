import { describe, expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { Samples } from '../../testing/capability-samples.ts'
import { someOf } from '../../testing/effort.ts'
import { isRequired, pathOf, sampleInput, sampleValues } from '../../testing/samples.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { administratorsBot } from './testing/administrators-bot.ts'

const server = useTestServer()

const endpoints = capabilities.flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))

/** Endpoints that would deactivate the owner or replace the owner's API key during the test. */
const ACCESS_ENDING_ENDPOINTS = new Set(['deactivateOwnUser', 'regenerateOwnApiKey'])

/** Returns the required parameters alone, and with each of several optional parameters. */
function inputsOf(endpoint: Endpoint, samples: Samples): Record<string, unknown>[] {
  const required = sampleInput(endpoint, samples)
  const optional = Object.entries(sampleValues(endpoint, samples)).filter(([name]) => !isRequired(endpoint, name))
  return [required, ...someOf(optional).map(([name, value]) => ({ ...required, [name]: value }))]
}

async function answerTo(user: TestUser, endpoint: Endpoint, input: Record<string, unknown>): Promise<[number, Body]> {
  const { path, query } = pathOf(endpoint, input)
  const { status, body } = await user.try(endpoint.method, path, Object.fromEntries(query))
  return [status, body]
}

describe.each([
  ['a member', 400],
  ['a guest', 600],
])('the bot of an administrator demoted to %s', (_, role) => {
  it('refuses a bot at every endpoint that refuses its demoted owner', async () => {
    const { owner, admin, bot, samples } = await administratorsBot(server())
    await bot.call('PATCH', '/realm', { name: 'Before' })
    await owner.call('PATCH', `/users/${admin.id}`, { role })
    let refused = 0
    for (const endpoint of endpoints.filter(({ id }) => !ACCESS_ENDING_ENDPOINTS.has(id))) {
      for (const input of inputsOf(endpoint, samples)) {
        const [status, body] = await answerTo(admin, endpoint, input)
        // The bot repeats even requests that succeed for the administrator, so that both accounts stay alike.
        const [botStatus, botBody] = await answerTo(bot, endpoint, input)
        if (status < 400) continue
        refused += 1
        expect([endpoint.id, input, botStatus < 400 ? botBody : botStatus]).toEqual([endpoint.id, input, status])
        expect(body['result']).toBe('error')
      }
    }
    expect(refused).toBeGreaterThan(100)
  })
})

import { OWN_WORDS, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly outgoing_bot_id: number
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const payload_url = 'https://hooks.example.org/sample'
    const input = { full_name: 'Outgoing Bot', short_name: 'outgoing', bot_type: OUTGOING_WEBHOOK, payload_url }
    return { outgoing_bot_id: (await owner.call('POST', '/bots', input))['user_id'] }
  },
  inputs: {
    getCommandsOfBot: ({ outgoing_bot_id: bot_id }) => ({ bot_id }),
    updateCommandsOfBot: ({ outgoing_bot_id: bot_id }) => ({
      bot_id,
      commands: [{ name: 'sample', description: 'Sample', argument_hint: '[word]' }],
    }),
  },
  namesNothing: { commands: OWN_WORDS, argument_hint: OWN_WORDS },
}

const OUTGOING_WEBHOOK = 3

export const steps: CapabilitySteps = {
  steps: {
    'change commands of bot': async ({ actor, what, more }) => {
      const { body } = await actor.try('POST', '/register', { fetch_event_types: ['realm_bot'], event_types: [] })
      const outgoing = (body['realm_bots'] ?? []).filter(({ bot_type: type }) => type === OUTGOING_WEBHOOK)
      const id = outgoing[what % outgoing.length]?.user_id ?? 999_999
      if (more % 5 === 4) {
        await actor.try('DELETE', `/bots/${id}`)
        return actor.try('POST', `/users/${id}/reactivate`)
      }
      return actor.try('PUT', `/bots/${id}/commands`, {
        commands: Array.from({ length: more % 4 }, (_, index) => ({
          name: `command${(what + index) % 7}`,
          description: `Command ${more % 3}`,
          argument_hint: more % 5 === 0 ? '[word]' : '',
        })),
      })
    },
  },
}

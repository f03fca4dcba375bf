import { browserOf, followLink, signIn } from '../../../testing/browser.ts'
import { type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly session_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const browser = await signIn(user)
    return { session_id: await browser.session() }
  },
  names: { session_id: 'session' },
  namesNothing: { token: SECRET },
  hidden: { session: { sample: 'session_id', of: 'the owner' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'sign in': async ({ actor }) => followLink(actor),
    'sign in and out': async ({ actor }) => {
      const answer = await followLink(actor)
      return answer.status === 200 ? browserOf(actor, answer).try('POST', '/logout') : answer
    },
    'end session': async ({ actor, what }) => {
      const { body } = await actor.try('GET', '/sessions')
      const sessions = body['sessions'] ?? []
      return actor.try('DELETE', `/sessions/${sessions[what % sessions.length]?.id ?? 999_999}`)
    },
  },
}

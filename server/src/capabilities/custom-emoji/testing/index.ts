import { expect } from 'vitest'
import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { PIXEL, sendFiles } from '../../../testing/files.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly emoji_code: string
  }
}

const AVAILABLE_TO_EVERYONE = 'everyone in the organization can use custom emoji'
const NAME = 'sample'

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const file = { name: 'a.png', content: PIXEL, type: 'image/png' }
    expect(await sendFiles(owner, `/realm/emoji/${NAME}`, [file])).toMatchObject({ status: 200 })
    const { emoji } = await owner.call('GET', '/realm/emoji')
    // Safe: the API client validated the response.
    return { emoji_code: Object.keys(emoji)[0] ?? '' }
  },
  names: { emoji_code: 'emoji' },
  namesNothing: {
    'uploadCustomEmoji.emoji_name': AVAILABLE_TO_EVERYONE,
    emoji_name: AVAILABLE_TO_EVERYONE,
    reaction_type: API_WORD,
  },
  hidden: {
    emoji: {
      sample: 'emoji_code',
      of: 'another organization',
      beside: { emoji_name: NAME, reaction_type: 'realm_emoji' },
    },
  },
}

export const steps: CapabilitySteps = {
  steps: {
    'add emoji': async ({ actor, what }) =>
      sendFiles(actor, `/realm/emoji/own_${what % 4}`, [{ name: 'own.png', content: PIXEL }]),
    'deactivate emoji': async ({ actor, what }) => actor.try('DELETE', `/realm/emoji/own_${what % 4}`),
    'react with own emoji': async ({ actor, other, what }) => {
      const { body } = await actor.try('POST', '/messages', {
        type: 'direct',
        to: [other.id],
        content: `:own_${what % 4}:`,
      })
      await actor.try('POST', `/messages/${Number(body['id'])}/reactions`, { emoji_name: `own_${what % 4}` })
    },
  },
}

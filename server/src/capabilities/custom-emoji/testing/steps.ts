import { PIXEL, sendFiles } from '../../../testing/files.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

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

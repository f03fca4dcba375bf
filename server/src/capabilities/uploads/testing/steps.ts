import { sendFiles } from '../../../testing/files.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

export const steps: CapabilitySteps = {
  steps: {
    upload: async ({ actor, other, what, more }) => {
      const { body } = await sendFiles(actor, '/user_uploads', [{ name: `${more}.txt`, content: 'x'.repeat(what + 1) }])
      const link = `[file](${String(body['url'])})`
      if (what % 2 === 0) await actor.try('POST', '/messages', { type: 'direct', to: [other.id], content: link })
    },
    'delete upload': async ({ actor, what }) => {
      const { body } = await actor.try('GET', '/attachments')
      const ids = ((body['attachments'] ?? []) as { id: number }[]).map(({ id }) => id)
      await actor.try('DELETE', `/attachments/${ids[what % ids.length] ?? 999_999}`)
    },
  },
}

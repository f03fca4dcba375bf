import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { sendFiles, upload } from '../../../testing/files.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly attachment_id: number
    readonly realm_id_str: number
    readonly filename: string
  }
}

export const samples: CapabilitySamples = {
  async make({ owner }) {
    const address = await upload(owner, 'sample.txt', 'A file')
    const [realmId = '', ...rest] = address.replace('/user_uploads/', '').split('/')
    const { attachments } = await owner.call('GET', '/attachments')
    const [{ id } = { id: 0 }] = attachments
    return { attachment_id: id, realm_id_str: Number(realmId), filename: rest.join('/') }
  },
  names: { attachment_id: 'attachment', filename: 'file' },
  namesNothing: { realm_id_str: "the caller's own organization" },
  hidden: { attachment: { sample: 'attachment_id', of: 'the owner' } },
}

export const steps: CapabilitySteps = {
  steps: {
    upload: async ({ actor, other, what, more }) => {
      const { body } = await sendFiles(actor, '/user_uploads', [{ name: `${more}.txt`, content: 'x'.repeat(what + 1) }])
      const link = `[file](${String(body['url'])})`
      if (what % 2 === 0) await actor.try('POST', '/messages', { type: 'direct', to: [other.id], content: link })
    },
    'delete upload': async ({ actor, what }) => {
      const { body } = await actor.try('GET', '/attachments')
      const ids = (body.attachments ?? []).map(({ id }) => id)
      await actor.try('DELETE', `/attachments/${ids[what % ids.length] ?? 999_999}`)
    },
  },
}

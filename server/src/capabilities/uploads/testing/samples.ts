import type { CapabilitySamples } from '../../../testing/capability-samples.ts'
import { upload } from '../../../testing/files.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    /** Of a file that the owner uploaded. */
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
    // The answer was checked against its declaration.
    const [{ id }] = attachments as [{ id: number }]
    return { attachment_id: id, realm_id_str: Number(realmId), filename: rest.join('/') }
  },
  names: { attachment_id: 'attachment', filename: 'file' },
  namesNothing: { realm_id_str: 'the own organization, of which everybody knows' },
  hidden: { attachment: { sample: 'attachment_id', of: 'the owner' } },
}

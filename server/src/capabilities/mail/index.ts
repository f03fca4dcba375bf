import { capability } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { sendMails } from './jobs.ts'
import { migrations } from './tables.ts'

/** E-mail: what other capabilities have sent, and its way out of the server. */
export const mail = capability({
  name: 'mail',
  tables: ['outgoing_mails'],
  reads: ['organization_settings'],
  migrations,
  limits: [contract.OUTGOING_MAIL_LIMIT],
  jobs: [sendMails],
})

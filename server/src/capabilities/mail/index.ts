import { capability, open } from '../../platform/capability.ts'
import { unsubscribe } from './actions/unsubscribe.ts'
import * as contract from './contract.ts'
import { sendMails } from './jobs.ts'
import { UNSUBSCRIBE_ENDPOINT_PATH, unsubscribePage } from './queries.ts'
import { migrations } from './tables.ts'

export const mail = capability({
  name: 'mail',
  tables: ['outgoing_mails'],
  reads: ['organization_settings'],
  migrations,
  omitted: { outgoing_mails: null },
  limits: [contract.OUTGOING_MAIL_LIMIT],
  routes: [open(contract.unsubscribe, unsubscribe)],
  jobs: [sendMails],
  files: [{ path: UNSUBSCRIBE_ENDPOINT_PATH, login: 'none', find: unsubscribePage }],
})

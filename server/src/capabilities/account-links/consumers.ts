import type * as z from 'zod/mini'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { ConsumedEvent, Consumer } from '../../platform/consumers/consumer.ts'
import { credentialsChanged } from '../authentication/contract.ts'
import { queueMail } from '../mail/actions/index.ts'
import { hasMailQueueSpace } from '../mail/queries.ts'
import { userById, type UserRow } from '../users/queries/index.ts'
import { credentialNoticeMail, type CredentialNotice } from './actions/notices.ts'

export const notifyOfCredentialChanges: Consumer = {
  name: 'tellOfCredentials',
  events: [credentialsChanged],
  isForMail: true,
  isNeeded: (organization, event) => recipientAndNotice(organization, event) !== undefined,
  async run(tx, events) {
    for (const event of events) {
      const found = recipientAndNotice(tx.organization, event)
      // A full mail queue must not block changes to accounts.
      if (found === undefined || !(await hasMailQueueSpace(tx.db, tx.organizationId))) continue
      await queueMail(tx, credentialNoticeMail(tx.organization, found.user, found.notice, tx.now))
    }
  },
}

function recipientAndNotice(
  organization: OrganizationState,
  event: ConsumedEvent,
): { readonly user: UserRow; readonly notice: CredentialNotice } | undefined {
  // Safe: only `emitCredentials` writes this event.
  const payload = event.payload as z.output<typeof credentialsChanged.payload>
  const user = userById(organization, payload.user_id)
  if (user?.isActive !== true || user.botType !== null) return undefined
  const notice = noticeForChange(payload)
  return notice === undefined ? undefined : { user, notice }
}

function noticeForChange({
  what,
  before,
  after,
}: z.output<typeof credentialsChanged.payload>): CredentialNotice | undefined {
  switch (what) {
    case 'passkey':
      return typeof after === 'string' ? { of: 'passkey', name: after } : undefined
    case 'api_token':
      return typeof after === 'string' ? { of: 'apiToken', name: after } : undefined
    case 'second_factor':
      return { of: after === true ? 'secondFactor' : 'noSecondFactor' }
    case 'recovery_codes':
      return { of: 'recoveryCodes' }
    case 'password':
      return { of: before === true ? 'noPassword' : 'password' }
  }
}

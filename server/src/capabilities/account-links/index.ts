import { capability, command, open } from '../../platform/capability.ts'
import { confirmEmail } from './actions/addresses.ts'
import {
  makePasswordLink,
  preparePasswordLink,
  requestPasswordReset,
  resetPassword,
  revokeOwnAccess,
} from './actions/passwords.ts'
import { notifyOfCredentialChanges } from './consumers.ts'
import * as contract from './contract.ts'
import { processPasswordRequests, deleteExpiredAccountLinks } from './jobs.ts'
import { migrations } from './tables.ts'

export const accountLinks = capability({
  name: 'account-links',
  tables: ['account_links', 'password_requests', 'confirmed_addresses'],
  reads: ['organization_settings'],
  migrations,
  omitted: {
    account_links: null,
    password_requests: null,
    confirmed_addresses: 'email address confirmations: the first sign-in with an identity provider ends other access',
  },
  limits: [contract.ACCOUNT_LINK_LIMIT, contract.ADDRESS_MAIL_LIMIT, contract.PASSWORD_REQUEST_LIMIT],
  routes: [
    open(contract.requestPasswordReset, requestPasswordReset),
    command(contract.makePasswordLink, makePasswordLink, { prepare: preparePasswordLink }),
    open(contract.resetPassword, resetPassword),
    command(contract.revokeOwnAccess, revokeOwnAccess),
    open(contract.confirmEmail, confirmEmail),
  ],
  consumers: [notifyOfCredentialChanges],
  jobs: [processPasswordRequests, deleteExpiredAccountLinks],
})

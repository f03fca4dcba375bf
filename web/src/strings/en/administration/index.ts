import { accounts } from './accounts.ts'
import { appearance } from './appearance.ts'
import { apiTokens } from './api-tokens.ts'
import { audit } from './audit.ts'
import { bots } from './bots.ts'
import { content } from './content.ts'
import { devices } from './devices.ts'
import { ending } from './ending.ts'
import { exports } from './exports.ts'
import { fields } from './fields.ts'
import { grants } from './grants.ts'
import { groups } from './groups.ts'
import { habits } from './habits.ts'
import { incomingMail } from './incoming-mail.ts'
import { health } from './health.ts'
import { integrations } from './integrations.ts'
import { invitations } from './invitations.ts'
import { measurements } from './measurements.ts'
import { notifications } from './notifications.ts'
import { organization } from './organization.ts'
import { ownEmail } from './own-email.ts'
import { permissions } from './permissions.ts'
import { push } from './push.ts'
import { statistics } from './statistics.ts'
import { tools } from './tools.ts'

/** English texts of the administration, loaded with it. Every language has the same keys. */
export const administration = {
  organization,
  permissions,
  ownEmail,
  grants,
  groups,
  accounts,
  bots,
  integrations,
  incomingMail,
  content,
  devices,
  fields,
  invitations,
  push,
  habits,
  measurements,
  notifications,
  tools,
  exports,
  appearance,
  apiTokens,
  audit,
  statistics,
  health,
  ending,
}

export type Administration = typeof administration

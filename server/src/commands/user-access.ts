import { entriesOf } from '../kernel/keys.ts'
import { revokeAccess, type RevokedAccess } from '../capabilities/account-links/actions/passwords.ts'
import { hashNewPassword, setPassword } from '../capabilities/authentication/actions/index.ts'
import { apiKeyOf } from '../capabilities/authentication/queries.ts'
import { deleteSecondFactor } from '../capabilities/second-factors/actions/index.ts'
import { hasSecondFactor } from '../capabilities/second-factors/queries.ts'
import { CliError, parseCommand, type Command } from './command.ts'
import { warnIfDeactivated, deactivatedSentence } from './paste.ts'
import { jsonOption, JSON_USAGE, printJson, userRecord } from './output.ts'
import { generatePassword, readPassword } from './password.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, requireUser, withStore } from './store.ts'

export const userPassword: Command = {
  usage: `Usage: parley user password EMAIL [--password-stdin] [--organization SUBDOMAIN] [--json]

Change a user's password and print it, unless you provide it. Revokes all other access to the account: sessions,
passkeys, the API key, API tokens, identities, channel addresses, push subscriptions and tokens, invitations of
administrators, and its bots' API keys. Pauses its outgoing webhooks.

  --password-stdin           read the password from stdin instead of choosing one
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], {
      'password-stdin': { type: 'boolean', default: false },
      ...jsonOption,
      ...organizationOption,
    })
    const [email = ''] = positionals
    const isGiven = values['password-stdin']
    const password = isGiven ? await readPassword(terminal) : generatePassword()
    const hash = await hashNewPassword(password)
    const { organization, user, revoked } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const found = requireUser(log.organization, email)
      if (found.botType !== null) throw new CliError(`${found.email} is a bot. Bots have no password.`)
      const ended = await log.operate(async (tx) => {
        await setPassword(tx, found, hash)
        return revokeAccess(tx, found)
      })
      return { revoked: ended, organization: log.organization, user: found }
    })
    warnIfDeactivated(terminal, organization, user)
    if (values.json) {
      printJson(terminal, { user: userRecord(organization, user), password: isGiven ? null : password, revoked })
      return
    }
    terminal.print(isGiven ? `Changed the password of ${user.email}.` : password)
    // Prints to stderr, because scripts expect only the password on stdout.
    terminal.warn(`Replaced the API key${describeRevokedAccess(revoked)}.`)
  },
}

const REVOKED_ACCESS_LABELS: Readonly<Record<keyof RevokedAccess, string>> = {
  sessions: 'sessions',
  passkeys: 'passkeys',
  api_tokens: 'API tokens',
  identities: 'identities',
  channel_addresses: 'channel addresses',
  push_subscriptions: 'push subscriptions',
  push_tokens: 'push tokens',
  bot_keys: 'bot API keys',
  administrator_invitations: 'invitations of administrators',
  outgoing_webhooks: 'outgoing webhooks (paused)',
}

function describeRevokedAccess(revoked: RevokedAccess): string {
  const counts = entriesOf(REVOKED_ACCESS_LABELS).flatMap(([kind, words]) => {
    const count = revoked[kind]
    return count === 0 ? [] : [`${words}: ${count}`]
  })
  return counts.length === 0 ? '' : ` and revoked ${counts.join(', ')}`
}

export const userApiKey: Command = {
  usage: `Usage: parley user api-key EMAIL [--organization SUBDOMAIN]

Print a user's API key and nothing else, for scripts.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], organizationOption)
    const [email = ''] = positionals
    const key = await withStore(
      terminal,
      async (store) => {
        const { organization } = await requireOrganization(store, values.organization)
        const user = requireUser(organization, email)
        if (!user.isActive) throw new CliError(deactivatedSentence(organization, user))
        warnIfDeactivated(terminal, organization, user)
        return apiKeyOf(store.database.kysely, organization.id, user.id)
      },
      { use: 'look' },
    )
    terminal.print(key)
  },
}

export const userRemoveSecondFactor: Command = {
  usage: `Usage: parley user remove-second-factor EMAIL [--organization SUBDOMAIN]

Turn off two-factor authentication for a user who lost the app. The password alone then signs in.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], organizationOption)
    const [email = ''] = positionals
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const found = requireUser(log.organization, email)
      await log.operate(async (tx) => {
        if (!(await hasSecondFactor(tx.db, tx.organizationId, found.id))) {
          throw new CliError(`${found.email} does not use two-factor authentication.`)
        }
        await deleteSecondFactor(tx, found.id)
      })
      return { organization: log.organization, user: found }
    })
    warnIfDeactivated(terminal, organization, user)
    terminal.print(`Turned off two-factor authentication for ${user.email}.`)
  },
}

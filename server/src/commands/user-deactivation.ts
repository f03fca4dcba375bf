import { addBan } from '../capabilities/bans/actions/index.ts'
import { deactivateAccount, reactivateAccount } from '../capabilities/users/actions/accounts.ts'
import { userById, type UserRow } from '../capabilities/users/queries/index.ts'
import { botsOf, isOrphaned } from '../capabilities/users/rules/bots.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { Tx } from '../kernel/transaction.ts'
import { CliError, parseCommand, UsageError, type Command } from './command.ts'
import { warnIfDeactivated } from './paste.ts'
import { jsonOption, JSON_USAGE, printJson, userRecord } from './output.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, requireUser, withStore } from './store.ts'

export const userDeactivate: Command = {
  usage: `Usage: parley user deactivate EMAIL [--ban REASON] [--organization SUBDOMAIN] [--json]

Deactivate a user and the user's bots, and revoke their access. Nothing they wrote is deleted; \`parley user
reactivate\` lets them sign in again. An organization keeps at least one owner.

  --ban REASON               ban the user, who reads the reason on sign-in
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const options = { ban: { type: 'string' }, ...jsonOption, ...organizationOption } as const
    const { positionals, values } = parseCommand(args, ['EMAIL'], options)
    const [email = ''] = positionals
    const { organization, ended } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const ids = await log.operate(async (tx) => {
        const found = requireUser(tx.organization, email)
        if (!found.isActive) throw new CliError(`${found.deliveryEmail} is already deactivated.`)
        const bots = botsOf(tx.organization, found.id).filter((bot) => bot.isActive)
        if (values.ban === undefined) await deactivateAccount(tx, found)
        else await banByCommand(tx, found, values.ban)
        return [found, ...bots].map(({ id }) => id)
      })
      const after = ids.map((id) => userById(log.organization, id)).filter((user) => user !== undefined)
      return { organization: log.organization, ended: after }
    })
    if (values.json) printJson(terminal, { users: ended.map((user) => userRecord(organization, user)) })
    else for (const user of ended) terminal.print(`Deactivated ${user.deliveryEmail}.`)
  },
}

async function banByCommand(tx: Tx, user: UserRow, reason: string): Promise<void> {
  if (user.botType !== null) throw new CliError('Only people can be banned.')
  await addBan(tx, user, { reason, seconds: null, bannedBy: null })
}

export const userReactivate: Command = {
  usage: `Usage: parley user reactivate EMAIL [--owner EMAIL] [--organization SUBDOMAIN] [--json]

Reactivate a user with the same role, channels, and password, and a new API key. The user's bots stay deactivated.

  --owner EMAIL              new owner of a bot whose owner is deactivated; the bot gets a new API key, and its webhook
                             is paused
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const options = { owner: { type: 'string' }, ...jsonOption, ...organizationOption } as const
    const { positionals, values } = parseCommand(args, ['EMAIL'], options)
    const [email = ''] = positionals
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const id = await log.operate(async (tx) => {
        const found = requireUser(tx.organization, email)
        if (found.isActive) throw new CliError(`${found.deliveryEmail} is not deactivated.`)
        await reactivateAccount(tx, found, findNewBotOwner(tx.organization, found, values.owner))
        return found.id
      })
      return { organization: log.organization, user: userById(log.organization, id) }
    })
    if (user === undefined) throw new Error('the account that was just changed is missing')
    warnIfDeactivated(terminal, organization, user)
    if (values.json) printJson(terminal, { user: userRecord(organization, user) })
    else terminal.print(`Reactivated ${user.deliveryEmail}.`)
  },
}

function findNewBotOwner(
  organization: OrganizationState,
  found: UserRow,
  email: string | undefined,
): number | undefined {
  if (!isOrphaned(organization, found)) {
    if (email !== undefined) throw new UsageError('--owner applies only to bots whose owner is deactivated.')
    return undefined
  }
  if (email === undefined) {
    throw new CliError(
      `The owner of ${found.deliveryEmail} is deactivated. Choose a new owner with --owner, or reactivate the owner first.`,
    )
  }
  const heir = requireUser(organization, email)
  if (heir.botType !== null || !heir.isActive) throw new CliError(`${heir.deliveryEmail} cannot own a bot.`)
  return heir.id
}

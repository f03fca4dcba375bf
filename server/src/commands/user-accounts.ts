import { createAccount, changeAccount } from '../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../capabilities/authentication/actions/index.ts'
import { BOT_TYPE } from '../capabilities/users/contract/index.ts'
import { nonSystemUsers, userById, type UserRow } from '../capabilities/users/queries/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { parseCommand, requireOption, UsageError, CliError, type Command } from './command.ts'
import { warnIfDeactivated } from './paste.ts'
import { parseRole, formatDay, jsonOption, JSON_USAGE, printJson, printTable, roleName, userRecord } from './output.ts'
import { generatePassword, readPassword } from './password.ts'
import { ORGANIZATION_USAGE, requireOrganization, organizationOption, requireUser, withStore } from './store.ts'

export const userCreate: Command = {
  usage: `Usage: parley user create EMAIL --name NAME [OPTIONS]

Create a user and print the API key and, unless you provide it, the password.

  --name NAME                full name
  --role ROLE                ${Object.keys(ROLE).join(', ')} (default: member)
  --password-stdin           read the password from stdin instead of choosing one
  --bot                      create a bot, which has an API key and no password
  --owner EMAIL              owner of the bot
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], {
      name: { type: 'string' },
      role: { type: 'string', default: 'member' },
      'password-stdin': { type: 'boolean', default: false },
      bot: { type: 'boolean', default: false },
      owner: { type: 'string' },
      ...organizationOption,
    })
    const [email = ''] = positionals
    const { bot, owner } = values
    const fullName = requireOption(values.name, 'name')
    const role = parseRole(values.role)
    if (owner !== undefined && !bot) throw new UsageError('--owner needs --bot.')
    if (bot && values['password-stdin']) throw new UsageError('--password-stdin does not apply to bots.')

    const password = values['password-stdin'] ? await readPassword(terminal) : generatePassword()
    const passwordHash = bot ? null : await hashNewPassword(password)
    const { organization, made } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const kind = bot ? { botType: BOT_TYPE.generic } : {}
      const ownership = owner === undefined ? {} : { botOwnerId: requireUser(log.organization, owner).id }
      const account = { email, fullName, role, ...kind, ...ownership }
      const opened = await log.operate((tx) => createAccount(tx, account, passwordHash))
      return { organization: log.organization, made: opened }
    })
    const { user, apiKey } = made
    warnIfDeactivated(terminal, organization, user)
    terminal.print(`Created ${bot ? 'bot ' : ''}${user.fullName}, ${user.email}, ${values.role}.`)
    terminal.print(`API key    ${apiKey}`)
    if (!bot && !values['password-stdin']) terminal.print(`Password   ${password} (shown only now)`)
  },
}

export const userList: Command = {
  usage: `Usage: parley user list [--role ROLE] [--organization SUBDOMAIN] [--json]

List an organization's accounts by creation time: email, role, status, creation date, type, and name.

  --role ROLE                list only accounts with this role
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], { role: { type: 'string' }, ...jsonOption, ...organizationOption })
    const role = values.role === undefined ? undefined : parseRole(values.role)
    const organization = await withStore(
      terminal,
      async (store) => {
        const log = await requireOrganization(store, values.organization)
        return log.organization
      },
      { use: 'look' },
    )
    const users = nonSystemUsers(organization).filter((user) => role === undefined || user.role === role)
    if (values.json) printJson(terminal, { users: users.map((user) => userRecord(organization, user)) })
    else printTable(terminal, users.map(formatRow))
  },
}

function formatRow(user: UserRow): string[] {
  const state = user.isActive ? 'active' : 'deactivated'
  const kind = user.botType === null ? 'person' : 'bot'
  return [user.deliveryEmail, roleName(user.role), state, formatDay(user.dateJoined), kind, user.fullName]
}

export const userRole: Command = {
  usage: `Usage: parley user role EMAIL ROLE [--organization SUBDOMAIN] [--json]

Change the role of a user or bot: ${Object.keys(ROLE).join(', ')}. Lowers the role of the
user's bots to the user's. An organization keeps at least one owner.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL', 'ROLE'], { ...jsonOption, ...organizationOption })
    const [email = '', name = ''] = positionals
    const role = parseRole(name, 'ROLE')
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      const id = await log.operate(async (tx) => {
        const found = requireUser(tx.organization, email)
        if (found.role === role) throw new CliError(`${found.deliveryEmail} already has the role ${name}.`)
        await changeAccount(tx, found, { role })
        return found.id
      })
      return { organization: log.organization, user: userById(log.organization, id) }
    })
    if (user === undefined) throw new Error('the account that was just changed is missing')
    warnIfDeactivated(terminal, organization, user)
    if (values.json) printJson(terminal, { user: userRecord(organization, user) })
    else terminal.print(`Changed the role of ${user.deliveryEmail} to ${roleName(user.role)}.`)
  },
}

import { openAccount } from '../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../capabilities/authentication/actions/index.ts'
import { BOT_TYPE } from '../capabilities/users/contract/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { parseCommand, requireOption, UsageError, type Command } from './command.ts'
import { warnIfDeactivated } from './deactivated.ts'
import { roleNamed } from './output.ts'
import { choosePassword, givenPassword } from './password.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

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
    const role = roleNamed(values.role)
    if (owner !== undefined && !bot) throw new UsageError('--owner needs --bot.')
    if (bot && values['password-stdin']) throw new UsageError('--password-stdin does not apply to bots.')

    const password = values['password-stdin'] ? await givenPassword(terminal) : choosePassword()
    const passwordHash = bot ? null : await hashNewPassword(password)
    const { organization, made } = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      const kind = bot ? { botType: BOT_TYPE.generic } : {}
      const ownership = owner === undefined ? {} : { botOwnerId: userNamed(log.organization, owner).id }
      const account = { email, fullName, role, ...kind, ...ownership }
      const opened = await log.operate((tx) => openAccount(tx, account, passwordHash))
      return { organization: log.organization, made: opened }
    })
    const { user, apiKey } = made
    warnIfDeactivated(terminal, organization, user)
    terminal.print(`Created ${bot ? 'bot ' : ''}${user.fullName}, ${user.email}, ${values.role}.`)
    terminal.print(`API key    ${apiKey}`)
    if (!bot && !values['password-stdin']) terminal.print(`Password   ${password} (shown only now)`)
  },
}

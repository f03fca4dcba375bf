import { changeAccount } from '../capabilities/users/actions/accounts.ts'
import { userById } from '../capabilities/users/queries/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { warnIfDeactivated } from './deactivated.ts'
import { jsonOption, JSON_USAGE, printJson, roleName, roleNamed, userRecord } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userRole: Command = {
  usage: `Usage: parley user role EMAIL ROLE [--organization SUBDOMAIN] [--json]

Change the role of a user or bot: ${Object.keys(ROLE).join(', ')}. Lowers the role of the
user's bots to the user's. An organization keeps at least one owner.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL', 'ROLE'], { ...jsonOption, ...organizationOption })
    const [email = '', name = ''] = positionals
    const role = roleNamed(name, 'ROLE')
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      const id = await log.operate(async (tx) => {
        const found = userNamed(tx.organization, email)
        if (found.role === role) throw new Complaint(`${found.deliveryEmail} already has the role ${name}.`)
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

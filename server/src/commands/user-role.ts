import { changeAccount } from '../capabilities/users/actions/accounts.ts'
import { userById } from '../capabilities/users/queries/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { warnIfDeactivated } from './deactivated.ts'
import { jsonOption, JSON_USAGE, printJson, roleName, roleNamed, userRecord } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userRole: Command = {
  usage: `Usage: parley user role EMAIL ROLE [--organization SUBDOMAIN] [--json]

Gives a person or a bot another role: ${Object.keys(ROLE).join(', ')}. Bots whose owner then may less than
they do get the owner's role. An organization keeps at least one owner.

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
        if (found.role === role) throw new Complaint(`${found.deliveryEmail} has the role ${name} already.`)
        await changeAccount(tx, found, { role })
        return found.id
      })
      return { organization: log.organization, user: userById(log.organization, id) }
    })
    if (user === undefined) throw new Error('an account is gone that was just changed')
    warnIfDeactivated(terminal, organization, user)
    if (values.json) printJson(terminal, { user: userRecord(organization, user) })
    else terminal.print(`${user.deliveryEmail} has the role ${roleName(user.role)} from now on.`)
  },
}

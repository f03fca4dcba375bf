import { hasSecondFactor } from '../capabilities/second-factors/queries.ts'
import { endSecondFactor } from '../capabilities/second-factors/actions/index.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { warnIfDeactivated } from './deactivated.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userRemoveSecondFactor: Command = {
  usage: `Usage: parley user remove-second-factor EMAIL [--organization SUBDOMAIN]

Turn off two-factor authentication for a user who lost access to it. The password alone is then enough to sign in.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], organizationOption)
    const [email = ''] = positionals
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      const found = userNamed(log.organization, email)
      await log.operate(async (tx) => {
        if (!(await hasSecondFactor(tx.db, tx.organizationId, found.id))) {
          throw new Complaint(`${found.email} does not use two-factor authentication.`)
        }
        await endSecondFactor(tx, found.id)
      })
      return { organization: log.organization, user: found }
    })
    warnIfDeactivated(terminal, organization, user)
    terminal.print(`Turned off two-factor authentication for ${user.email}.`)
  },
}

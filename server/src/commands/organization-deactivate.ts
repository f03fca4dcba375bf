import { deactivateOrganization } from '../capabilities/organizations/actions/deactivation.ts'
import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

export const organizationDeactivate: Command = {
  usage: `Usage: parley organization deactivate [--organization SUBDOMAIN]

Ends an organization: everybody is signed out, and nobody can use it. Nothing is deleted, and \`parley organization
reactivate\` brings it back.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], organizationOption)
    const name = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      return log.write(async (tx) => {
        const organization = organizationOf(tx.organization)
        if (isDeactivated(tx.organization)) throw new Complaint(`${organization.name} is deactivated already.`)
        await deactivateOrganization(tx)
        return organization.name
      })
    })
    terminal.print(`Deactivated ${name}.`)
  },
}

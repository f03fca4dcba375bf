import { allOrganizations } from '../capabilities/organizations/queries/index.ts'
import { parseCommand, type Command } from './command.ts'
import { withStore } from './store.ts'

export const organizationList: Command = {
  usage: `Usage: parley organization list

Lists all organizations: the subdomain (- for none), the day on which it was made, whether it is active, and its name.`,

  async run(args, terminal) {
    parseCommand(args, [], {})
    const organizations = await withStore(terminal, async ({ database }) => allOrganizations(database.reads))
    const width = Math.max(1, ...organizations.map(({ stringId }) => stringId.length))
    for (const { stringId, name, dateCreated, isDeactivated } of organizations) {
      const made = new Date(dateCreated * 1000).toISOString().slice(0, 10)
      const state = isDeactivated ? 'deactivated' : 'active     '
      terminal.print(`${(stringId === '' ? '-' : stringId).padEnd(width)}  ${made}  ${state}  ${name}`)
    }
  },
}

import { openImports } from '../platform/moving/progress.ts'
import { allOrganizations } from '../capabilities/organizations/queries/index.ts'
import { parseCommand, type Command } from './command.ts'
import { dayOf, jsonOption, JSON_USAGE, organizationRecord, printJson, printTable } from './output.ts'
import { NO_ORGANIZATION, withStore } from './store.ts'

export const organizationList: Command = {
  usage: `Usage: parley organization list [--json]

List all organizations: subdomain (- for none), creation date, status, and name.

${JSON_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], jsonOption)
    const organizations = await withStore(
      terminal,
      async ({ database }) => {
        const open = (await openImports(database.reads)).map(({ name, begunAt }) => {
          return { stringId: name, name: '(incomplete import)', dateCreated: begunAt, isDeactivated: true }
        })
        const names = new Set(open.map(({ stringId }) => stringId))
        return [...(await allOrganizations(database.reads)).filter(({ stringId }) => !names.has(stringId)), ...open]
      },
      { use: 'look' },
    )
    if (values.json) {
      printJson(terminal, { organizations: organizations.map(organizationRecord) })
      return
    }
    if (organizations.length === 0) terminal.warn(NO_ORGANIZATION)
    printTable(
      terminal,
      organizations.map(({ stringId, name, dateCreated, isDeactivated }) => [
        stringId === '' ? '-' : stringId,
        dayOf(dateCreated),
        isDeactivated ? 'deactivated' : 'active',
        name,
      ]),
    )
  },
}

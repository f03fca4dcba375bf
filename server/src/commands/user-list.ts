import { members, type UserRow } from '../capabilities/users/queries/index.ts'
import { parseCommand, type Command } from './command.ts'
import { dayOf, jsonOption, JSON_USAGE, printJson, printTable, roleName, roleNamed, userRecord } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, withStore } from './store.ts'

export const userList: Command = {
  usage: `Usage: parley user list [--role ROLE] [--organization SUBDOMAIN] [--json]

List an organization's accounts by creation time: email, role, status, creation date, type, and name.

  --role ROLE                list only accounts with this role
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], { role: { type: 'string' }, ...jsonOption, ...organizationOption })
    const role = values.role === undefined ? undefined : roleNamed(values.role)
    const organization = await withStore(
      terminal,
      async (store) => {
        const log = await organizationNamed(store, values.organization)
        return log.organization
      },
      { use: 'look' },
    )
    const users = members(organization).filter((user) => role === undefined || user.role === role)
    if (values.json) printJson(terminal, { users: users.map((user) => userRecord(organization, user)) })
    else printTable(terminal, users.map(rowOf))
  },
}

function rowOf(user: UserRow): string[] {
  const state = user.isActive ? 'active' : 'deactivated'
  const kind = user.botType === null ? 'person' : 'bot'
  return [user.deliveryEmail, roleName(user.role), state, dayOf(user.dateJoined), kind, user.fullName]
}

import { channelsProjection } from '../capabilities/channels/queries/index.ts'
import { organizationOf, allOrganizations } from '../capabilities/organizations/queries/index.ts'
import { nonSystemUsers } from '../capabilities/users/queries/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { formatCount } from '../kernel/phrases.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import { findUnfinishedImports } from '../platform/moving/progress.ts'
import { serverFacts } from '../server-from-config.ts'
import { parseCommand, type Command } from './command.ts'
import { formatDay, jsonOption, JSON_USAGE, organizationRecord, printJson, printTable } from './output.ts'
import { describeUrl } from './served.ts'
import {
  ORGANIZATION_USAGE,
  requireOrganization,
  organizationOption,
  withStore,
  NO_ORGANIZATION_MESSAGE,
} from './store.ts'

export const organizationShow: Command = {
  usage: `Usage: parley organization show [--organization SUBDOMAIN]

Show an organization's URL, owners, and number of users and channels.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], organizationOption)
    const lines = await withStore(
      terminal,
      async (store, config) => {
        const { organization } = await requireOrganization(store, values.organization)
        return describeOrganization(organization, describeUrl(serverFacts(config, store), values.organization, config))
      },
      { use: 'look' },
    )
    terminal.print(lines.join('\n'))
  },
}

function describeOrganization(organization: OrganizationState, url: string): string[] {
  const row = organizationOf(organization)
  const users = nonSystemUsers(organization)
  const active = users.filter((user) => user.isActive)
  const people = active.filter((user) => user.botType === null)
  const owners = people.filter((user) => user.role === ROLE.owner)
  const all = [...organization.of(channelsProjection).byId.values()]
  const channels = all.filter((channel) => !channel.isArchived)
  return [
    row.name,
    `Served at  ${url}`,
    `Subdomain  ${row.stringId === '' ? '(none)' : row.stringId}`,
    `Created    ${formatDay(row.dateCreated)}`,
    ...(row.isDeactivated ? ['State      deactivated'] : []),
    ...owners.map((owner, index) => `${index === 0 ? 'Owner      ' : '           '}${owner.fullName}, ${owner.email}`),
    `Users      ${formatCount(people.length, 'person', 'people')}, ${formatCount(active.length - people.length, 'bot', 'bots')}, ${users.length - active.length} deactivated`,
    `Channels   ${channels.length}, plus ${all.length - channels.length} archived`,
  ]
}

export const organizationList: Command = {
  usage: `Usage: parley organization list [--json]

List all organizations: subdomain (- for none), creation date, status, and name.

${JSON_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], jsonOption)
    const organizations = await withStore(
      terminal,
      async ({ database }) => {
        const open = (await findUnfinishedImports(database.reads)).map(({ name, begunAt }) => {
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
    if (organizations.length === 0) terminal.warn(NO_ORGANIZATION_MESSAGE)
    printTable(
      terminal,
      organizations.map(({ stringId, name, dateCreated, isDeactivated }) => [
        stringId === '' ? '-' : stringId,
        formatDay(dateCreated),
        isDeactivated ? 'deactivated' : 'active',
        name,
      ]),
    )
  },
}

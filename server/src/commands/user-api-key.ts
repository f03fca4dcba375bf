import { apiKeyOf } from '../capabilities/authentication/queries.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { deactivatedSentence, warnIfDeactivated } from './deactivated.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userApiKey: Command = {
  usage: `Usage: parley user api-key EMAIL [--organization SUBDOMAIN]

Print a user's API key and nothing else, for scripts.

${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], organizationOption)
    const [email = ''] = positionals
    const key = await withStore(
      terminal,
      async (store) => {
        const { organization } = await organizationNamed(store, values.organization)
        const user = userNamed(organization, email)
        if (!user.isActive) throw new Complaint(deactivatedSentence(organization, user))
        warnIfDeactivated(terminal, organization, user)
        return apiKeyOf(store.database.kysely, organization.id, user.id)
      },
      { use: 'look' },
    )
    terminal.print(key)
  },
}

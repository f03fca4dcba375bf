import { closeAccount } from '../capabilities/users/actions/accounts.ts'
import { userById } from '../capabilities/users/queries/index.ts'
import { botsOf } from '../capabilities/users/rules/bots.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { jsonOption, JSON_USAGE, printJson, userRecord } from './output.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userDeactivate: Command = {
  usage: `Usage: parley user deactivate EMAIL [--organization SUBDOMAIN] [--json]

Deactivate a user and the user's bots: sign them out everywhere and reject their API keys. Nothing they wrote is
deleted; \`parley user reactivate\` reverses it. An organization keeps at least one owner.

${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], { ...jsonOption, ...organizationOption })
    const [email = ''] = positionals
    const { organization, ended } = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      const ids = await log.operate(async (tx) => {
        const found = userNamed(tx.organization, email)
        if (!found.isActive) throw new Complaint(`${found.deliveryEmail} is already deactivated.`)
        const bots = botsOf(tx.organization, found.id).filter((bot) => bot.isActive)
        await closeAccount(tx, found)
        return [found, ...bots].map(({ id }) => id)
      })
      const after = ids.map((id) => userById(log.organization, id)).filter((user) => user !== undefined)
      return { organization: log.organization, ended: after }
    })
    if (values.json) printJson(terminal, { users: ended.map((user) => userRecord(organization, user)) })
    else for (const user of ended) terminal.print(`Deactivated ${user.deliveryEmail}.`)
  },
}

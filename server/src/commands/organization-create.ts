import { serverFacts } from '../start.ts'
import { Complaint, parseCommand, required, type Command } from './command.ts'
import { foundOrganization, type Founding } from './founding.ts'
import { choosePassword, givenPassword } from './password.ts'
import { organizationNamed, withStore } from './store.ts'

export const organizationCreate: Command = {
  usage: `Usage: parley organization create SUBDOMAIN --name NAME --owner-email EMAIL --owner-name NAME [--password-stdin]

Makes another organization, at a subdomain of PARLEY_ROOT_DOMAIN, and prints how its owner logs in.

  --name NAME           what it is called
  --owner-email EMAIL   its owner's address
  --owner-name NAME     its owner's full name
  --password-stdin      reads the owner's password from stdin instead of choosing one`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['SUBDOMAIN'], {
      name: { type: 'string' },
      'owner-email': { type: 'string' },
      'owner-name': { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
    })
    const [stringId = ''] = positionals
    const name = required(values.name, 'name')
    const email = required(values['owner-email'], 'owner-email')
    const fullName = required(values['owner-name'], 'owner-name')
    const password = values['password-stdin'] ? await givenPassword(terminal) : choosePassword()

    const { url, apiKey } = await withStore(terminal, async (store, config) => {
      const taken = store.database.kysely.selectFrom('organizations').select('id').where('string_id', '=', stringId)
      if ((await taken.executeTakeFirst()) !== undefined) throw new Complaint(`The subdomain '${stringId}' is taken.`)
      const facts = serverFacts(config, store)
      const founding: Founding = { stringId, name, owner: { fullName, email, password } }
      const made = await foundOrganization(store.logs, facts, founding)
      const { organization } = await organizationNamed(store, stringId)
      return {
        apiKey: made.apiKey,
        url: config.PARLEY_ROOT_DOMAIN === undefined ? undefined : facts.urlOf(organization),
      }
    })
    const where = url ?? 'nowhere yet: set PARLEY_ROOT_DOMAIN'
    terminal.print(`Made ${name}`)
    terminal.print(`Served at  ${where}`)
    terminal.print(`Owner      ${fullName}, ${email}`)
    terminal.print(`API key    ${apiKey}`)
    if (!values['password-stdin']) terminal.print(`Password   ${password} (shown only now)`)
  },
}

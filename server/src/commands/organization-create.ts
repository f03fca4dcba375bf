import { makeSetupLink, SETUP_PATH } from '../capabilities/setup/actions.ts'
import type { Config } from '../config.ts'
import { serverFacts } from '../server-from-config.ts'
import type { Store } from '../start.ts'
import { CliError, parseCommand, requireOption, type Command } from './command.ts'
import { makeOrganization } from './founding.ts'
import { generatePassword, readPassword } from './password.ts'
import { describeUrl } from './served.ts'
import { withStore } from './store.ts'

export const organizationCreate: Command = {
  usage: `Usage: parley organization create SUBDOMAIN [--name NAME] [--owner-email EMAIL --owner-name NAME [--password-stdin]]

Create an organization at a subdomain of PARLEY_ROOT_DOMAIN, or at '' to replace a deleted one without a subdomain.
Without an owner, print a link to set it up in a browser; with an owner, create it now and print the owner's credentials.

  --name NAME           name of the organization
  --owner-email EMAIL   email of the owner
  --owner-name NAME     full name of the owner
  --password-stdin      read the owner's password from stdin instead of choosing one`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['SUBDOMAIN'], {
      name: { type: 'string' },
      'owner-email': { type: 'string' },
      'owner-name': { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
    })
    const [stringId = ''] = positionals
    const isPasswordGiven = values['password-stdin']
    if (values['owner-email'] === undefined && values['owner-name'] === undefined && !isPasswordGiven) {
      const link = await withStore(
        terminal,
        async (store, config) => createSetupLink(store, config, stringId, values.name ?? ''),
        { use: 'begin' },
      )
      terminal.print(`Set up     ${link}`)
      terminal.print('           This link works once, for one hour.')
      return
    }
    const name = requireOption(values.name, 'name')
    const email = requireOption(values['owner-email'], 'owner-email')
    const fullName = requireOption(values['owner-name'], 'owner-name')
    const password = isPasswordGiven ? await readPassword(terminal) : generatePassword()

    const { where, apiKey } = await withStore(
      terminal,
      async (store, config) => {
        await requireFreeSubdomain(store, stringId)
        const facts = serverFacts(config, store)
        const made = await makeOrganization(facts, { stringId, name, owner: { fullName, email, password } })
        return {
          apiKey: made.apiKey,
          where: describeUrl(facts, stringId, config),
        }
      },
      { use: 'begin' },
    )
    terminal.print(`Created ${name}`)
    terminal.print(`Served at  ${where}`)
    terminal.print(`Owner      ${fullName}, ${email}`)
    terminal.print(`API key    ${apiKey}`)
    if (!isPasswordGiven) terminal.print(`Password   ${password} (shown only now)`)
  },
}

async function createSetupLink(store: Store, config: Config, stringId: string, name: string): Promise<string> {
  await requireFreeSubdomain(store, stringId)
  if (config.PARLEY_ROOT_DOMAIN === undefined && stringId !== '') {
    throw new CliError('Subdomains are not available. Set PARLEY_ROOT_DOMAIN.')
  }
  const token = await store.database.transaction(async (db) => makeSetupLink(db, stringId, name))
  return `${serverFacts(config, store).urlAt(stringId)}${SETUP_PATH}${token}`
}

async function requireFreeSubdomain(store: Store, stringId: string): Promise<void> {
  const taken = store.database.kysely.selectFrom('organizations').select('id').where('string_id', '=', stringId)
  if ((await taken.executeTakeFirst()) === undefined) return
  throw new CliError(
    stringId === '' ? 'An organization without a subdomain already exists.' : `The subdomain '${stringId}' is taken.`,
  )
}

import { hashNewPassword, setPassword } from '../capabilities/authentication/actions.ts'
import { Complaint, parseCommand, type Command } from './command.ts'
import { warnIfDeactivated } from './deactivated.ts'
import { jsonOption, JSON_USAGE, printJson, userRecord } from './output.ts'
import { choosePassword, givenPassword } from './password.ts'
import { ORGANIZATION_USAGE, organizationNamed, organizationOption, userNamed, withStore } from './store.ts'

export const userPassword: Command = {
  usage: `Usage: parley user password EMAIL [--password-stdin] [--organization SUBDOMAIN] [--json]

Gives a user another password and prints it, unless it was given. API keys stay as they are.

  --password-stdin           reads the password from stdin instead of choosing one
${JSON_USAGE}
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { positionals, values } = parseCommand(args, ['EMAIL'], {
      'password-stdin': { type: 'boolean', default: false },
      ...jsonOption,
      ...organizationOption,
    })
    const [email = ''] = positionals
    const isGiven = values['password-stdin']
    const password = isGiven ? await givenPassword(terminal) : choosePassword()
    const hash = await hashNewPassword(password)
    const { organization, user } = await withStore(terminal, async (store) => {
      const log = await organizationNamed(store, values.organization)
      const found = userNamed(log.organization, email)
      if (found.botType !== null) throw new Complaint(`${found.email} is a bot, which has no password.`)
      await log.operate((tx) => setPassword(tx, found, hash))
      return { organization: log.organization, user: found }
    })
    warnIfDeactivated(terminal, organization, user)
    if (values.json) {
      printJson(terminal, { user: userRecord(organization, user), password: isGiven ? null : password })
      return
    }
    terminal.print(isGiven ? `Changed the password of ${user.email}.` : password)
  },
}

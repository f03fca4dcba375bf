import { changeLockDown } from '../capabilities/community/actions.ts'
import { MAX_LOCK_DOWN_SECONDS } from '../capabilities/community/contract.ts'
import { organizationOf } from '../capabilities/organizations/queries/index.ts'
import { parseCommand, UsageError, type Command } from './command.ts'
import { ORGANIZATION_USAGE, organizationOption, requireOrganization, withStore } from './store.ts'

const MINUTE_SECONDS = 60
const MAX_MINUTES = MAX_LOCK_DOWN_SECONDS / MINUTE_SECONDS

export const lockDown: Command = {
  usage: `Usage: parley lock-down [--minutes MINUTES | --end] [--organization SUBDOMAIN]

Lock an organization down against a raid: see docs/communities.md.

  --minutes MINUTES          how long, up to ${MAX_MINUTES} (default: 60)
  --end                      end the lock-down now
${ORGANIZATION_USAGE}`,

  async run(args, terminal) {
    const { values } = parseCommand(args, [], {
      minutes: { type: 'string', default: '60' },
      end: { type: 'boolean', default: false },
      ...organizationOption,
    })
    const minutes = Number(values.minutes)
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES) {
      throw new UsageError(`--minutes must be a whole number from 1 to ${MAX_MINUTES}.`)
    }
    const organization = await withStore(terminal, async (store) => {
      const log = await requireOrganization(store, values.organization)
      await log.operate(async (tx) => changeLockDown(tx, values.end ? null : tx.now + minutes * MINUTE_SECONDS))
      return organizationOf(log.organization)
    })
    terminal.print(
      values.end
        ? `Ended the lock-down of ${organization.name}.`
        : `Locked down ${organization.name} for ${minutes} minutes.`,
    )
  },
}

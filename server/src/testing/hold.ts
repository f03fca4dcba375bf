import type { Tx } from '../kernel/transaction.ts'
import type { Parley } from '../start.ts'
import type { TestOrganization } from './server.ts'

/** Blocks the writer, so that requests queue up. `change` precedes them in the log. */
export async function blockWriter(
  parley: Parley,
  organization: Pick<TestOrganization, 'id'>,
  change?: (tx: Tx) => Promise<unknown>,
): Promise<() => void> {
  const log = await parley.logs.of(organization.id)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve) => {
    void log.write(async (tx) => {
      resolve()
      await held
      await change?.(tx)
    })
  })
  return release
}

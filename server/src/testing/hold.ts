import type { Parley } from '../start.ts'
import type { TestOrganization } from './server.ts'

/** Blocks the writer, so that requests queue up. */
export async function blockWriter(parley: Parley, organization: Pick<TestOrganization, 'id'>): Promise<() => void> {
  const log = await parley.logs.of(organization.id)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve) => {
    void log.write(async () => {
      resolve()
      await held
    })
  })
  return release
}

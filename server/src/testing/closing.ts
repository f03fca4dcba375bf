import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import { processCounts } from '../platform/metrics/counts.ts'
import type { EventFields } from './contract-types.ts'
import type { TestOrganization, TestServer } from './server.ts'

export const CLOSE_AT_ONCE = { PARLEY_ORGANIZATION_IDLE_SECONDS: '0' }

export function isOpen({ parley }: TestServer, { id }: TestOrganization): boolean {
  return parley.logs.loaded().some(({ organization }) => organization.id === id)
}

export async function waitUntilClosed(node: TestServer, organization: TestOrganization): Promise<void> {
  await expect
    .poll(
      async () => {
        await node.parley.logs.closeUnused()
        return isOpen(node, organization)
      },
      { timeout: 20_000, interval: 5 },
    )
    .toBe(false)
}

/** @returns the number of closed logs */
export async function whileClosing(nodes: readonly TestServer[], work: () => Promise<void>): Promise<number> {
  const before = processCounts.openings.closed
  const done = new AbortController()
  const closing = nodes.map(async ({ parley }) => {
    while (!done.signal.aborted) {
      await parley.logs.closeUnused()
      await turn()
    }
  })
  try {
    await work()
  } finally {
    done.abort()
    await Promise.all(closing)
  }
  return processCounts.openings.closed - before
}

export function messageContents(events: readonly EventFields[]): unknown[] {
  return events.map((event) => event.message?.content)
}

export async function createOrganizationOn(node: TestServer): Promise<TestOrganization> {
  const organization = await node.organization()
  await organization.owner.subscribe(['general'])
  return organization
}

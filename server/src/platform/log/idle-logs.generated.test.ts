import { describe, expect, it } from 'vitest'
import {
  CLOSE_AT_ONCE,
  waitUntilClosed,
  messageContents,
  isOpen,
  createOrganizationOn,
  whileClosing,
} from '../../testing/closing.ts'
import { effort } from '../../testing/effort.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer(CLOSE_AT_ONCE)

async function textsOf(user: TestUser): Promise<unknown[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content)
}

const ORGANIZATION_COUNT = 8
const SENDS_EACH = effort(60)
const REQUEST_COUNT = effort(100)

/** Sends messages, sometimes after waiting until no log is open. @returns all messages received */
async function sendTexts(organization: TestOrganization, texts: readonly string[]): Promise<unknown[]> {
  const { owner } = organization
  const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
  const seen: unknown[] = []
  for (const [index, text] of texts.entries()) {
    await owner.send('general', 'talk', text)
    if (index % 3 > 0) continue
    await expect.poll(() => isOpen(server(), organization), { timeout: 20_000, interval: 1 }).toBe(false)
    seen.push(...messageContents(await queue.events()))
  }
  seen.push(...messageContents(await queue.events()))
  return seen
}

describe('organization that is constantly loaded and unloaded', () => {
  it('loses no message and fails no request while organizations are unloaded', async () => {
    const texts = Array.from({ length: SENDS_EACH }, (_, index) => `Message ${index}`)
    const organizations = await Promise.all(
      Array.from({ length: ORGANIZATION_COUNT }, async () => createOrganizationOn(server())),
    )
    let seen: unknown[][] = []
    const closings = await whileClosing([server()], async () => {
      seen = await Promise.all(organizations.map(async (organization) => sendTexts(organization, texts)))
    })
    expect(closings).toBeGreaterThanOrEqual((ORGANIZATION_COUNT * SENDS_EACH) / 3)
    expect(seen).toEqual(organizations.map(() => texts))
    for (const { owner } of organizations) {
      expect((await textsOf(owner)).filter((text) => texts.includes(String(text)))).toEqual(texts)
    }
  })

  it('delivers every message even if the organization is unloaded after each send', async () => {
    const organization = await createOrganizationOn(server())
    const { owner } = organization
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const seen: unknown[] = []
    const closings = await whileClosing([server()], async () => {
      for (let index = 0; index < REQUEST_COUNT; index += 1) {
        await owner.send('general', 'talk', `Message ${index}`)
        await waitUntilClosed(server(), organization)
        seen.push(...messageContents(await queue.events()))
      }
    })
    expect(closings).toBeGreaterThanOrEqual(REQUEST_COUNT)
    expect(seen).toEqual(Array.from({ length: REQUEST_COUNT }, (_, index) => `Message ${index}`))
  })
})

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestOrganization, TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'

export const PASSWORD = 'correct horse battery'

export interface Team extends TestOrganization {
  readonly friend: TestUser
  readonly channelId: number
}

/**
 * Creates an organization with an owner, a friend, and a channel with both.
 * @param options `password` of the owner; hashing it doubles the time
 */
export async function createTeamOn(server: TestServer, options: { readonly password?: string } = {}): Promise<Team> {
  return createTeamIn(await server.organization('Hill & Valley', options))
}

export async function createTeamIn(organization: TestOrganization): Promise<Team> {
  const friend = await organization.user('Fred Friend')
  await organization.owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'garden', description: 'Plants' }],
    principals: [organization.owner.id, friend.id],
    send_new_subscription_messages: false,
  })
  const { stream_id } = await organization.owner.call('GET', '/get_stream_id', { stream: 'garden' })
  return { ...organization, friend, channelId: stream_id }
}

/** Creates a person without settings or messages, and adds the person to the channel. */
export async function createNewcomer({ user }: Team): Promise<TestUser> {
  const person = await user('Nora New')
  await person.subscribe(['garden'])
  return person
}

/** Returns the team with a new person as `owner`, who has no data from earlier tests. */
export async function withNewcomer(team: Team): Promise<Team> {
  return { ...team, owner: await createNewcomer(team) }
}

let channelNumber = 0

/** Returns the team with a new, empty channel for a test. */
export async function withChannel(team: Team): Promise<Team & { readonly channel: string }> {
  channelNumber += 1
  const channel = `garden ${channelNumber}`
  return { ...team, channel, channelId: await createChannel(team.owner, channel, [team.friend]) }
}

/** Creates a channel for its owner and other people. @returns the channel's ID */
export async function createChannel(
  owner: TestUser,
  name: string,
  others: readonly TestUser[] = [],
  options: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [owner.id, ...others.map(({ id }) => id)],
    send_new_subscription_messages: false,
    ...options,
  })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: name })
  return stream_id
}

export async function say(from: TestUser, channelId: number, topic: string, content: string): Promise<number> {
  const { id } = await from.call('POST', '/messages', { type: 'channel', to: channelId, topic, content })
  return id
}

export const list = (page: Page) => page.getByRole('feed', { name: 'Messages' })
export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ })

export const hasComposerFocus = async (page: Page): Promise<boolean> =>
  composer(page).evaluate((field) => field === document.activeElement)

/** Leaves the composer of an opened conversation, which takes the focus shortly after its messages appear. */
export async function leaveComposer(page: Page): Promise<void> {
  await expect.poll(async () => hasComposerFocus(page)).toBe(true)
  await page.keyboard.press('Escape')
}

export async function hasRead(user: TestUser, id: number): Promise<boolean> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.flags.includes('read')
}

/** Returns the newest messages of a topic, oldest first. */
export async function fetchTopicContents(user: TestUser, channelId: number, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return messages.map(({ content }) => content)
}

/** Returns the newest messages that a person sees, oldest first. */
export async function fetchContents(user: TestUser): Promise<string[]> {
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  return messages.map(({ content }) => content)
}

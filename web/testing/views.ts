import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { show } from './browser.ts'

/** Messages that together contain every kind of content. */
const MESSAGE_CONTENTS = [
  'Plain words and a [link](https://example.com)',
  '**bold**, *slanted*, ~~gone~~, `code` :tada: @**all**',
  '```python\ndef grow(seed):\n    return seed + 1  # more\n```',
  '> Quoted\n\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '```spoiler The end\nIt grows\n```',
  'A longer text that has to be broken into several lines, since it says more than fits into one of them on a phone.',
]

export interface FullTeam {
  readonly owner: TestUser
  readonly friend: TestUser
  readonly channelId: number
}

/** Creates an organization with data in every view. */
export async function createFullOrganization(server: TestServer): Promise<FullTeam> {
  const { owner, user } = await server.organization('Hill & Valley')
  const friend = await user('Fred Friend')
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'garden', description: 'Plants' }],
    principals: [owner.id, friend.id],
    send_new_subscription_messages: false,
  })
  await friend.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
  for (const content of MESSAGE_CONTENTS) {
    await friend.call('POST', '/messages', { type: 'channel', to: stream_id, topic: 'beans', content })
  }
  const { id } = await owner.call('POST', '/messages', {
    type: 'channel',
    to: stream_id,
    topic: 'beans',
    content: 'Mine',
  })
  await friend.call('POST', `/messages/${String(id)}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
  await owner.call('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [stream_id], topic: 'peas', content: 'Half a thought' }],
  })
  const at = Math.floor(Date.now() / 1000) + 86_400
  await owner.call('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: at, note: 'Mind the frost' })
  await owner.call('PATCH', '/realm', { held_message_patterns: 'spam' })
  await friend.try('POST', '/messages', { type: 'channel', to: stream_id, topic: 'peas', content: 'Only spam' })
  const view = { fragment: 'narrow/has/image/search/beans', name: 'Pictures of beans', is_pinned: true }
  await owner.call('POST', '/navigation_views', view)
  await friend.call('POST', '/invites', { invitee_emails: 'garden-lover@example.com', stream_ids: [stream_id] })
  await owner.call('POST', '/invites/multiuse', { stream_ids: [stream_id], invite_expires_in_minutes: null })
  return { owner, friend, channelId: stream_id }
}

/** Views by purpose; `groupPaths` fills in people and channels. */
const VIEWS_BY_GROUP = {
  'inbox and recent': ['/inbox', '/recent', '/mentions', '/triage'],
  feeds: ['/feed', '/starred', '/reactions', '/search?q=Plain'],
  conversations: ['/c/CHANNEL', '/c/CHANNEL/feed', '/c/CHANNEL/t/beans', '/dm/FRIEND', '/c/nothing'],
  'drafts and channels': [
    '/writing',
    '/scheduled',
    '/reminders',
    '/reports',
    '/files',
    '/channels',
    '/settings',
    '/new-dm',
  ],
  'appearance settings': [
    '/settings/appearance',
    '/settings/notifications',
    '/settings/reading',
    '/settings/speed',
    '/settings/views',
    '/settings/writing',
  ],
  'shortcut and account settings': [
    '/settings/keys',
    '/settings/devices',
    '/settings/profile',
    '/settings/security',
    '/settings/tokens',
    '/password',
    '/email',
  ],
  'organization settings': [
    '/settings/organization',
    '/settings/messages',
    '/settings/reports',
    '/settings/joining',
    '/settings/permissions',
    '/settings/retention',
    '/settings/deactivation',
  ],
  'people settings': [
    '/settings/groups',
    '/settings/people',
    '/settings/new-people',
    '/settings/invitations',
    '/settings/profile-fields',
    '/join',
    '/setup',
  ],
  'integration settings': [
    '/settings/bots',
    '/settings/integrations',
    '/settings/emoji',
    '/settings/links',
    '/settings/playgrounds',
    '/settings/tools',
    '/settings/default-channels',
  ],
  records: ['/settings/exports', '/settings/audit-log', '/settings/statistics', '/settings/health'],
} as const

export type ViewGroup = keyof typeof VIEWS_BY_GROUP
export const VIEW_GROUPS = Object.keys(VIEWS_BY_GROUP) as ViewGroup[]

export function isSettingsGroup(group: ViewGroup): boolean {
  return VIEWS_BY_GROUP[group].every(
    (path) => path.startsWith('/settings/') || path === '/password' || path === '/email',
  )
}

const MAIN_VIEWS = [
  '/inbox',
  '/recent',
  '/triage',
  '/feed',
  '/search?q=Plain',
  '/c/CHANNEL',
  '/c/CHANNEL/t/beans',
  '/writing',
  '/channels',
  '/settings/appearance',
  '/settings/keys',
  '/settings/permissions',
  '/settings/people',
  '/settings/statistics',
]

export function groupPaths(group: ViewGroup, full: FullTeam): readonly string[] {
  return fillInIds(VIEWS_BY_GROUP[group], full)
}

export function mainViewPaths(full: FullTeam): readonly string[] {
  return fillInIds(MAIN_VIEWS, full)
}

function fillInIds(paths: readonly string[], { friend, channelId }: FullTeam): readonly string[] {
  return paths.map((path) => path.replace('CHANNEL', String(channelId)).replace('FRIEND', String(friend.id)))
}

export function allViewPaths(full: FullTeam): readonly string[] {
  return VIEW_GROUPS.flatMap((group) => groupPaths(group, full))
}

const LOADING_TEXT = /(Loading|Lööåådîîñĝ)\W* …/

/** Waits until a view has loaded. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('#main').waitFor()
  await expect.poll(() => page.getByText(LOADING_TEXT).count()).toBe(0)
}

/** Goes to another view without reloading the page, and waits until the view has loaded. */
export async function showView(page: Page, path: string): Promise<void> {
  await show(page, path)
  // The previous view is gone after two frames.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await waitUntilLoaded(page)
}

/** Whether the page as a whole scrolls vertically, rather than its parts. */
export async function isTooTall(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollHeight > document.documentElement.clientHeight)
}

export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

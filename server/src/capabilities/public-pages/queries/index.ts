import type { Input, Output } from '../../../kernel/endpoint.ts'
import { SPECTATOR } from '../../../kernel/actor.ts'
import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { isFresh, trackDependencies } from '../../../platform/answers/composed.ts'
import type { FoundPage, PageCall } from '../../../platform/pages/page-route.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { isPublished } from '../../channels/rules/index.ts'
import { requireVisibleChannel } from '../../channels/queries/streams.ts'
import { publicDescription, spectatorChannels } from '../../channels/rules/outside-viewers.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { messageInvalidation, type StoredMessage } from '../../messages/queries/index.ts'
import { organizationOf, organizationPicture, settingOf } from '../../organizations/queries/index.ts'
import { userById, userSetting } from '../../users/queries/index.ts'
import { publicAvatarPath, publicName, withPublicNames } from '../../users/queries/public-names.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { publicContent } from './content.ts'
import {
  countBefore,
  countTopics,
  MESSAGES_PER_PAGE,
  NEWEST_IN_CHANNEL,
  NEWEST_IN_TOPIC,
  readStored,
  readTopicPage,
  requestedTopic,
  topicsOf,
  type PublishedChannel,
} from './published.ts'
import {
  channelPath,
  channelsTemplate,
  CHANNELS_PATH,
  channelTemplate,
  feedTemplate,
  partPath,
  sitemapTemplate,
  topicPath,
  topicTemplate,
  type ShownChannel,
  type ShownMessage,
  type Site,
  type SitemapEntry,
} from './templates.ts'

export const TOPICS_PER_PAGE = 100
const TOPICS_PER_SITEMAP = 1_000
const ENTRIES_PER_FEED = 50

type PageLookup = Promise<FoundPage | undefined>

/** Checks again after reading: while the reads wait for their turns, the channel can become private. */
function publishedPage(
  find: (call: PageCall, channel: PublishedChannel) => PageLookup,
): (call: PageCall) => PageLookup {
  return async (call) => {
    const channel = requestedChannel(call)
    const found = channel === undefined ? undefined : await find(call, channel)
    if (found === undefined || requestedChannel(call)?.webPublicFrom !== channel?.webPublicFrom) return undefined
    return { ...found, isHiddenFromSearchEngines: channel?.isHiddenFromSearchEngines === true }
  }
}

export async function channelsPage({ organization, server, page }: PageCall): PageLookup {
  if (page > 1) return undefined
  return Promise.resolve(
    htmlFound(
      channelsTemplate(
        siteOf({ organization, server }),
        spectatorChannels(organization, server)
          .filter(isReadable)
          .map((channel) => toShownChannel(organization, channel)),
      ),
    ),
  )
}

export const channelPage = publishedPage(async (call, channel) => {
  const all = await countTopics(call, channel)
  const part = { number: call.page, count: Math.max(1, Math.ceil(all / TOPICS_PER_PAGE)) }
  if (part.number > part.count) return undefined
  const topics = await topicsOf(call, channel, 'newest first', (part.number - 1) * TOPICS_PER_PAGE, TOPICS_PER_PAGE)
  return htmlFound(channelTemplate(siteOf(call), toShownChannel(call.organization, channel), topics, part))
})

export const topicPage = publishedPage(async ({ organization, ...asked }) => {
  const seen = trackDependencies(organization)
  const call = { ...asked, organization: seen.organization }
  const channel = requestedChannel(call)
  const read = channel && (await readTopicPage(call, channel))
  if (channel === undefined || read === undefined) return undefined
  const { topic, stored } = read
  const part = { number: call.page, count: Math.ceil(topic.count / MESSAGES_PER_PAGE) }
  if (part.number > part.count) return undefined
  const found = await showMessages(call, stored)
  const first = found.find(({ id }) => id === topic.firstId)
  if (first === undefined) return undefined
  const messages = part.number === 1 ? found : found.filter((message) => message !== first)
  const page = htmlFound(topicTemplate(siteOf(call), { channel, topic, first, messages, part }))
  if (part.number === part.count) return page
  // New messages change only the last page.
  const isCurrent = (position: number): boolean =>
    isFresh(organization, { ...seen, position }) && !haveChangedUntil(stored.at(-1)?.id ?? 0, organization, position)
  return { ...page, isCurrent }
})

/** Whether a message until the last one changed since the position, or any topic. Deletions and moves shift later ones. */
function haveChangedUntil(lastId: number, organization: OrganizationState, position: number): boolean {
  const changes = organization.invalidatedSince(messageInvalidation, position)
  return changes?.every((change) => 'message' in change && change.message > lastId) !== true
}

/** Redirects to the page that has the message now: its topic can be renamed, and the message moved. */
export async function messageLocation(call: PageCall): PageLookup {
  if (call.page > 1) return undefined
  const [message] = await readStored(call, [Number(call.parameters['message_id'])])
  const channel = message === undefined ? undefined : channelById(call.organization, message.channelId ?? 0)
  if (message === undefined || channel === undefined) return undefined
  const before = await countBefore(call, channel, message)
  const path = topicPath(channel, { name: presentTopic(message.topic, false) })
  const { urlOf } = call.server
  return {
    location: `${urlOf(call.organization)}${partPath(path, Math.floor(before / MESSAGES_PER_PAGE) + 1)}#${message.id}`,
  }
}

export const channelFeed = publishedPage(async (call, channel) => {
  if (call.page > 1) return undefined
  const rows = await call.db.rows<{ id: number }>('newest_published_in_channel', NEWEST_IN_CHANNEL, [
    call.organization.id,
    channel.id,
    channel.webPublicFrom,
    ENTRIES_PER_FEED,
  ])
  return feedOf(call, rows, `#${channel.name}`, channelPath(channel))
})

export const topicFeed = publishedPage(async (call, channel) => {
  const topic = await requestedTopic(call, channel)
  if (topic === undefined || call.page > 1) return undefined
  const rows = await call.db.rows<{ id: number }>('newest_published_in_topic', NEWEST_IN_TOPIC, [
    call.organization.id,
    topic.id,
    channel.webPublicFrom,
    ENTRIES_PER_FEED,
  ])
  return feedOf(call, rows, `${topic.name} · #${channel.name}`, topicPath(channel, topic))
})

async function feedOf(
  call: PageCall,
  rows: readonly { readonly id: number }[],
  title: string,
  path: string,
): PageLookup {
  const site = siteOf(call)
  const messages = await readMessages(
    call,
    rows.map(({ id }) => id),
  )
  const text = feedTemplate(site, {
    title: `${title} · ${site.name}`,
    path,
    feedPath: `${path}/feed`,
    messages: messages.toReversed(),
  })
  return { type: 'atom', text }
}

export async function robotsFile({ organization, server }: PageCall): PageLookup {
  const allowed = [
    CHANNELS_PATH,
    '/static/',
    '/user_uploads/',
    '/user_avatars/',
    '/avatar/',
    '/external_content/',
    '/organization_pictures/',
  ]
  const lines = [
    'User-agent: *',
    ...allowed.map((path) => `Allow: ${path}`),
    'Disallow: /',
    `Sitemap: ${server.urlOf(organization)}/sitemap.xml`,
  ]
  return Promise.resolve({ type: 'robots', text: `${lines.join('\n')}\n` })
}

/** Lists the parts of each channel. Only a channel's last part grows, because topics are listed by age. */
export async function sitemapIndex(call: PageCall): PageLookup {
  if (call.page > 1) return undefined
  const entries: SitemapEntry[] = []
  const channels = spectatorChannels(call.organization, call.server).filter(isReadable)
  for (const channel of channels.filter((one) => !one.isHiddenFromSearchEngines)) {
    const count = Math.max(1, Math.ceil((await countTopics(call, channel)) / TOPICS_PER_SITEMAP))
    for (let number = 1; number <= count; number += 1)
      entries.push({ path: partPath(`${channelPath(channel)}/sitemap`, number), changedAt: undefined })
  }
  return { type: 'xml', text: sitemapTemplate(siteOf(call), 'sitemapindex', entries) }
}

export const sitemapOfChannel = publishedPage(async (call, channel) => {
  if (channel.isHiddenFromSearchEngines) return undefined
  // Sorting all topics takes long, even to find none after them.
  if (call.page > Math.max(1, Math.ceil((await countTopics(call, channel)) / TOPICS_PER_SITEMAP))) return undefined
  const topics = await topicsOf(call, channel, 'oldest first', (call.page - 1) * TOPICS_PER_SITEMAP, TOPICS_PER_SITEMAP)
  const entries = [
    ...(call.page === 1 ? [{ path: channelPath(channel), changedAt: undefined }] : []),
    ...topics.map((topic) => ({ path: topicPath(channel, topic), changedAt: topic.newestAt })),
  ]
  return { type: 'xml', text: sitemapTemplate(siteOf(call), 'urlset', entries) }
})

export function getPublicPageSettings(
  reader: Reader,
  input: Input<typeof contract.getPublicPageSettings>,
): Output<typeof contract.getPublicPageSettings> {
  return { hidden_from_search_engines: requireVisibleChannel(reader, input.stream_id).isHiddenFromSearchEngines }
}

export function getPublicNames({ organization, actor }: Reader): Output<typeof contract.getPublicNames> {
  const own = knownUser(organization, actor.userId)
  return {
    organization: settingOf(organization, 'public_names'),
    own: userSetting(own, 'public_name'),
    shown_name: publicName(organization, own),
  }
}

function htmlFound(text: string): Exclude<FoundPage, { location: string }> {
  return { type: 'html', text }
}

function siteOf({ organization, server }: Pick<PageCall, 'organization' | 'server'>): Site {
  const row = organizationOf(organization)
  return {
    name: row.name,
    url: server.urlOf(organization),
    description: row.description,
    iconPath: organizationPicture(row, 'icon').path,
    language: settingOf(organization, 'default_language'),
  }
}

function isReadable(channel: Channel): channel is PublishedChannel {
  return channel.webPublicFrom !== null
}

function requestedChannel({ organization, parameters }: PageCall): PublishedChannel | undefined {
  const channel = channelById(organization, Number(parameters['channel_id']))
  return channel !== undefined && isPublished(organization, channel) && isReadable(channel) ? channel : undefined
}

async function readMessages(call: PageCall, ids: readonly number[]): Promise<ShownMessage[]> {
  return showMessages(call, await readStored(call, ids))
}

/** Pauses between messages, because a page of long messages takes many turns of the event loop. */
async function showMessages({ organization }: PageCall, stored: readonly StoredMessage[]): Promise<ShownMessage[]> {
  const pause = createYielder(turnOwner(organization.id, SPECTATOR.userId))
  const shown: ShownMessage[] = []
  for (const message of stored) {
    shown.push(toShownMessage(organization, message))
    await pause()
  }
  return shown
}

function toShownChannel(organization: OrganizationState, channel: Channel): ShownChannel {
  return { ...channel, description: publicDescription(organization, channel).description }
}

function toShownMessage(organization: OrganizationState, message: StoredMessage): ShownMessage {
  const sender = userById(organization, message.senderId)
  if (sender === undefined) throw new Error(`message ${message.id} has no sender`)
  return {
    id: message.id,
    topic: presentTopic(message.topic, false),
    senderName: publicName(organization, sender),
    avatarPath: publicAvatarPath(organization, sender),
    content: publicContent(
      withPublicNames(organization, message.renderedContent),
      settingOf(organization, 'default_language'),
    ),
    sentAt: message.dateSent,
  }
}

import { truncate } from '../../../kernel/characters.ts'
import { EMPTY_HTML, html, htmlPage, type Html } from '../../../platform/pages/html.ts'
import { topicSegment } from '../../../kernel/topic-segment.ts'
import type { PublicContent } from './content.ts'
import { pageWording, type PageWording } from './wording.ts'

export interface Site {
  readonly name: string
  /** Configured URL, without a trailing slash. */
  readonly url: string
  readonly description: string
  readonly iconPath: string
  /** Language of what people write. */
  readonly language: string
}

export interface ShownChannel {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly isHiddenFromSearchEngines: boolean
}

export interface ShownTopic {
  /** Shown name, which is never empty. */
  readonly name: string
  readonly newestAt: number
}

export interface ShownMessage {
  readonly id: number
  /** Shown name, which is never empty. */
  readonly topic: string
  readonly senderName: string
  readonly avatarPath: string
  readonly content: PublicContent
  /** UNIX seconds. */
  readonly sentAt: number
}

export interface Part {
  readonly number: number
  readonly count: number
}

const MAX_DESCRIPTION_CHARACTERS = 200

export const CHANNELS_PATH = '/public'

export function channelPath({ id }: Pick<ShownChannel, 'id'>): string {
  return `${CHANNELS_PATH}/${id}`
}

export function topicPath(channel: Pick<ShownChannel, 'id'>, { name }: Pick<ShownTopic, 'name'>): string {
  return `${channelPath(channel)}/topic/${topicSegment(name)}`
}

export function messagePath({ id }: Pick<ShownMessage, 'id'>): string {
  return `${CHANNELS_PATH}/message/${id}`
}

export function partPath(path: string, number: number): string {
  return number === 1 ? path : `${path}?page=${number}`
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

export function channelsTemplate(site: Site, channels: readonly ShownChannel[]): string {
  const { words } = pageWording(site.language)
  const shown = channels.map(
    (channel) =>
      html`<li>
        <a href="${channelPath(channel)}" dir="auto">${channel.name}</a>
        <p class="quiet" dir="auto">${channel.description}</p>
      </li>`,
  )
  return publicPage(site, {
    title: [words.channels, site.name],
    description: site.description,
    path: CHANNELS_PATH,
    clientPath: '/channels',
    part: { number: 1, count: 1 },
    isHiddenFromSearchEngines: false,
    more: EMPTY_HTML,
    content: html`<h1>${words.channels}</h1>
      <ul class="list">
        ${shown}
      </ul>`,
  })
}

export function channelTemplate(site: Site, channel: ShownChannel, topics: readonly ShownTopic[], part: Part): string {
  const { words } = pageWording(site.language)
  const shown = topics.map(
    (topic) =>
      html`<li>
        <a href="${topicPath(channel, topic)}" dir="auto">${topic.name}</a> ${timeHtml(site, topic.newestAt)}
      </li>`,
  )
  const path = channelPath(channel)
  return publicPage(site, {
    title: [`#${channel.name}`, site.name],
    description: channel.description,
    path,
    clientPath: `/c/${channel.id}`,
    part,
    isHiddenFromSearchEngines: channel.isHiddenFromSearchEngines,
    more: feedLink(site, path),
    content: html`${trail(words, [])}
      <h1 dir="auto">#${channel.name}</h1>
      <p dir="auto">${channel.description}</p>
      ${topics.length === 0 ? html`<p class="quiet">${words.noMessages}</p>` : EMPTY_HTML}
      <ul class="list">
        ${shown}
      </ul>
      ${partLinks(words, path, part)}`,
  })
}

export interface TopicParts {
  readonly channel: ShownChannel
  readonly topic: Pick<ShownTopic, 'name'>
  /** First message of the topic, which may be on another page. */
  readonly first: ShownMessage
  readonly messages: readonly ShownMessage[]
  readonly part: Part
}

export function topicTemplate(site: Site, { channel, topic, first, messages, part }: TopicParts): string {
  const { words } = pageWording(site.language)
  const path = topicPath(channel, topic)
  const clientPath = `/c/${channel.id}/t/${topicSegment(topic.name)}`
  return publicPage(site, {
    title: [topic.name, `#${channel.name}`, site.name],
    description: truncate((messages[0] ?? first).content.text, MAX_DESCRIPTION_CHARACTERS),
    path,
    clientPath,
    part,
    isHiddenFromSearchEngines: channel.isHiddenFromSearchEngines,
    more: html`${feedLink(site, path)} ${jsonLd(postingData(site, { channel, topic, first, messages, part }))}`,
    content: html`${trail(words, [channel])}
      <h1 dir="auto">${topic.name}</h1>
      ${messages.map((message) => messageHtml(site, message))} ${partLinks(words, path, part)}
      <p><a href="${clientPath}#sign-in" rel="nofollow">${words.reply}</a></p>`,
  })
}

function messageHtml(site: Site, message: ShownMessage): Html {
  return html`<article id="${message.id}">
    <p class="by">
      <img src="${message.avatarPath}" alt="" width="32" height="32" loading="lazy" />
      <strong dir="auto">${message.senderName}</strong>
      <a href="${messagePath(message)}">${timeHtml(site, message.sentAt)}</a>
    </p>
    <div dir="auto">${message.content.html}</div>
  </article> `
}

interface PageParts {
  /** Most specific first. */
  readonly title: readonly string[]
  readonly description: string
  readonly path: string
  /** Same place in the client, which opens there after signing in. */
  readonly clientPath: string
  readonly part: Part
  readonly isHiddenFromSearchEngines: boolean
  readonly more: Html
  readonly content: Html
}

function publicPage(site: Site, parts: PageParts): string {
  const { title: names, description, path, clientPath, part, more, content } = parts
  const { language, words } = pageWording(site.language)
  const number = part.number === 1 ? [] : [words.page(part.number)]
  const title = [...names.slice(0, 1), ...number, ...names.slice(1)].join(' · ')
  const urlOfPart = (one: number): string => site.url + partPath(path, one)
  const named = { 'og:site_name': site.name, 'og:type': 'website', 'og:title': title, 'og:url': urlOfPart(part.number) }
  const elements = html`<link rel="canonical" href="${urlOfPart(part.number)}" />
    ${part.number > 1 ? html`<link rel="prev" href="${urlOfPart(part.number - 1)}" />` : EMPTY_HTML}
    ${part.number < part.count ? html`<link rel="next" href="${urlOfPart(part.number + 1)}" />` : EMPTY_HTML}
    ${parts.isHiddenFromSearchEngines ? html`<meta name="robots" content="noindex" />` : EMPTY_HTML}
    <meta name="description" content="${description}" />
    ${Object.entries({
      ...named,
      'og:description': description,
      'og:image': site.url + site.iconPath,
    }).map(([name, value]) => html`<meta property="${name}" content="${value}" />`)}
    ${more}`
  const body = html`<header lang="${language}">
      <a class="brand" href="${CHANNELS_PATH}" dir="auto"
        ><img src="${site.iconPath}" alt="" width="28" height="28" /> ${site.name}</a
      >
      <a href="${clientPath}#sign-in" rel="nofollow">${words.signIn}</a>
    </header>
    <main class="public">${content}</main>`
  return htmlPage(title, body, { language: site.language, elements })
}

function trail(words: PageWording, channels: readonly ShownChannel[]): Html {
  const links = channels.map((channel) => html` › <a href="${channelPath(channel)}" dir="auto">#${channel.name}</a>`)
  return html`<p class="trail"><a href="${CHANNELS_PATH}">${words.channels}</a>${links}</p>`
}

function partLinks(words: PageWording, path: string, { number, count }: Part): Html {
  if (count <= 1) return EMPTY_HTML
  const link = (to: number, relation: string, label: string): Html =>
    to < 1 || to > count ? EMPTY_HTML : html`<a href="${partPath(path, to)}" rel="${relation}">${label}</a>`
  return html`<nav class="parts" aria-label="${words.pages}">
    ${link(number - 1, 'prev', words.previous)} <span>${words.page(number)}</span>
    ${link(number + 1, 'next', words.next)}
  </nav>`
}

function feedLink(site: Site, path: string): Html {
  const { words } = pageWording(site.language)
  return html`<link rel="alternate" type="application/atom+xml" title="${words.feed}" href="${site.url}${path}/feed" />`
}

/** Creating a format takes as long as rendering several messages. */
const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeHtml({ language }: Site, seconds: number): Html {
  const format =
    timeFormats.get(language) ??
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  timeFormats.set(language, format)
  return html`<time datetime="${isoTime(seconds)}">${format.format(seconds * 1000)} UTC</time>`
}

function postingData(site: Site, { channel, topic, first, messages }: TopicParts): object {
  const said = (message: ShownMessage): object => ({
    author: { '@type': 'Person', name: message.senderName },
    datePublished: isoTime(message.sentAt),
    text: message.content.text,
    url: site.url + messagePath(message),
  })
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    headline: topic.name,
    inLanguage: site.language,
    isPartOf: { '@type': 'WebPage', name: channel.name, url: site.url + channelPath(channel) },
    ...said(first),
    mainEntityOfPage: site.url + topicPath(channel, topic),
    comment: messages.filter(({ id }) => id !== first.id).map((message) => ({ '@type': 'Comment', ...said(message) })),
  }
}

/** Escapes `<`, which could end the element. */
function jsonLd(data: object): Html {
  return { markup: `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>` }
}

/** XML allows none of these, not even escaped. */
const INVALID_XML_CHARACTERS = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

export interface FeedParts {
  readonly title: string
  readonly path: string
  readonly feedPath: string
  /** Newest first. */
  readonly messages: readonly ShownMessage[]
}

export function feedTemplate(site: Site, { title, path, feedPath, messages }: FeedParts): string {
  const [newest] = messages
  const shown = messages.map((message) => {
    const url = site.url + messagePath(message)
    return html`<entry>
      <id>${url}</id>
      <title>${message.topic}</title>
      <author><name>${message.senderName}</name></author>
      <link href="${url}" />
      <published>${isoTime(message.sentAt)}</published>
      <updated>${isoTime(message.sentAt)}</updated>
      <content type="html" xml:base="${site.url}/">${message.content.html.markup}</content>
    </entry> `
  })
  return html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${site.language}">
      <id>${site.url}${path}</id>
      <title>${title}</title>
      <link href="${site.url}${path}" />
      <link rel="self" href="${site.url}${feedPath}" />
      <updated>${isoTime(newest?.sentAt ?? 0)}</updated>
      ${shown}
    </feed> `.markup.replace(INVALID_XML_CHARACTERS, '')
}

export interface SitemapEntry {
  readonly path: string
  readonly changedAt: number | undefined
}

const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

export function sitemapTemplate(site: Site, kind: 'sitemapindex' | 'urlset', entries: readonly SitemapEntry[]): string {
  const isIndex = kind === 'sitemapindex'
  const shown = entries.map(({ path, changedAt }) => {
    const changed = changedAt === undefined ? EMPTY_HTML : html`<lastmod>${isoTime(changedAt)}</lastmod>`
    const facts = html`<loc>${site.url}${path}</loc>${changed}`
    return isIndex ? html`<sitemap>${facts}</sitemap>` : html`<url>${facts}</url>`
  })
  const root = isIndex
    ? html`<sitemapindex xmlns="${SITEMAP_NAMESPACE}">${shown}</sitemapindex>`
    : html`<urlset xmlns="${SITEMAP_NAMESPACE}">${shown}</urlset>`
  return html`<?xml version="1.0" encoding="utf-8"?>${root}`.markup
}

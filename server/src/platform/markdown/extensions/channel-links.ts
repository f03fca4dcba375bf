import type { MarkdownIt, StateInline, StateCore } from 'markdown-it'
import { continuesWord } from '../../../kernel/words.ts'
import { escapeHtml } from '../escape.ts'
import { jobOf, type MarkdownContext } from '../job.ts'
import { narrowUrl, readNarrowUrl, type NarrowTarget } from '../narrow.ts'
import { findNameInAsterisks } from '../starred.ts'
import { tokenAt, TokenData } from '../tokens.ts'

const HASH_CODE = 35

export function channelLinksExtension(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'channel_link', parseChannelLink)
  md.renderer.rules[TARGET_LINK] = (tokens, index) => renderTargetLink(targetData.of(tokenAt(tokens, index)))
}

function parseChannelLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== HASH_CODE || state.linkLevel > 0 || continuesWord(src, pos)) return false
  const { context } = jobOf(state.env)
  const read = findNameInAsterisks(state, pos + 1, '**', (text) => {
    const target = findTarget(text, context)
    return target && createTargetLink(target, context)
  })
  if (read === undefined) return false
  state.pos = read.starred.end
  if (!silent) targetData.attach(state.push(TARGET_LINK, '', 0), read.found)
  return true
}

const MAX_SEPARATORS_TRIED = 4

/** Tries the whole text first, and then the text before each `>`, because channel names can contain `>`. */
export function findTarget(given: string, context: MarkdownContext): NarrowTarget | undefined {
  const text = given.normalize('NFC')
  const whole = context.channelByName(text)
  if (whole) return { channelId: whole.id, topic: undefined, messageId: undefined }
  let separator = -1
  for (let tried = 0; tried < MAX_SEPARATORS_TRIED; tried++) {
    separator = text.indexOf('>', separator + 1)
    if (separator < 0) return undefined
    const channel = context.channelByName(text.slice(0, separator))
    if (!channel) continue
    const [, topic = '', messageId] = /^(.*?)(?:@(\d{1,15}))?$/.exec(text.slice(separator + 1)) ?? []
    return { channelId: channel.id, topic, messageId: messageId === undefined ? undefined : Number(messageId) }
  }
  return undefined
}

const TARGET_LINK = 'target_link'

const DEFAULT_EMPTY_TOPIC_NAME = 'general chat'

export interface TargetLink {
  readonly channel: { readonly id: number; readonly name: string }
  readonly target: NarrowTarget
  readonly emptyTopicName: string
  readonly href: string
}

const targetData = new TokenData<TargetLink>()

/** Returns undefined if the author cannot see the channel. */
function createTargetLink(target: NarrowTarget, context: MarkdownContext, href?: string): TargetLink | undefined {
  const channel = context.channelById(target.channelId)
  return (
    channel && {
      channel,
      target,
      emptyTopicName: context.emptyTopicName ?? DEFAULT_EMPTY_TOPIC_NAME,
      href: href ?? narrowUrl(channel, target.topic, target.messageId),
    }
  )
}

function renderTargetLink({ channel, target, emptyTopicName, href }: TargetLink): string {
  const name = `#${escapeHtml(channel.name)}`
  const link = (cssClass: string, data: string, label: string) =>
    `<a class="${cssClass}"${data} href="${escapeHtml(href)}">${label}</a>`
  const channelId = ` data-stream-id="${channel.id}"`
  if (target.topic === undefined) return link('stream', channelId, name)
  const topic = target.topic === '' ? `<em>${escapeHtml(emptyTopicName)}</em>` : escapeHtml(target.topic)
  const label = `${name} &gt; ${topic}`
  return target.messageId === undefined
    ? link('stream-topic', channelId, label)
    : link('message-link', '', `${label} @ 💬`)
}

/** Shows the pasted URL of a channel, topic, or message like a link that the app inserts. */
export function messageLinksExtension(md: MarkdownIt): void {
  md.core.ruler.after('own_links', 'message_links', nameMessageLinks)
}

function nameMessageLinks(state: StateCore): void {
  const { context } = jobOf(state.env)
  for (const block of state.tokens) {
    const children = block.children ?? []
    for (let index = 0; index < children.length; index++) {
      const open = children[index]
      if (open?.type !== 'link_open' || open.info !== 'auto') continue
      const href = String(open.attrGet('href'))
      const target = readNarrowUrl(href)
      const link = target && createTargetLink(target, context, href)
      if (!link) continue
      children.splice(index, 3, targetData.attach(new state.Token(TARGET_LINK, '', 0), link))
    }
  }
}

import type { Token } from 'markdown-it'
import { escapeHtml } from './escape.ts'
import type { MarkdownContext } from './job.ts'
import { narrowUrl } from './narrow.ts'
import type { NarrowTarget } from './narrow.ts'

export const TARGET_LINK = 'target_link'

const DEFAULT_EMPTY_TOPIC_NAME = 'general chat'

export interface TargetLink {
  readonly channel: { readonly id: number; readonly name: string }
  readonly target: NarrowTarget
  readonly emptyTopicName: string
  readonly href: string
}

/** @returns undefined if the author cannot see the channel */
export function targetLink(target: NarrowTarget, context: MarkdownContext, href?: string): TargetLink | undefined {
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

export function renderTargetLink(token: Token): string {
  const { channel, target, emptyTopicName, href } = token.meta as unknown as TargetLink // safe: set where the token is created
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

import { renameEmoji } from '../../platform/markdown/emoji/codes.ts'
import {
  blocksOfAttachment,
  isTextContainedIn,
  attachmentPartsToMarkdown,
  blocksToMarkdown,
} from '../../platform/markdown/slack-blocks.ts'
import { toRecords, type SlackParts } from '../../platform/markdown/slack-rich-text.ts'
import { markdownOfSlack } from '../../platform/markdown/slack.ts'
import type { EmojiFinder } from '../emoji.ts'
import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import { cleanText, quoteMarkdown } from '../texts.ts'
import { itemsIn } from '../records.ts'
import { slackAttachment, type SlackAttachment, type SlackMessage } from './records.ts'

export interface SlackNames {
  readonly users: ReadonlyMap<string, Account>
  readonly channels: ReadonlyMap<string, Channel>
  readonly emojiNamed: EmojiFinder
}

const UNKNOWN_ATTACHMENTS_REPORT = 'message attachments in an unknown format'
const PLACEHOLDER_PATTERN = /\0(\d+)\0/g

export function messageToMarkdown(
  message: SlackMessage,
  names: SlackNames,
  leave: (what: string) => void,
): { text: string; mentions: Set<number> } {
  const mentions = new Set<number>()
  const parts = createSlackParts(names, mentions, leave)
  const body = convertBody(message, parts)
  const attached = itemsIn(message.attachments, slackAttachment, () => leave(UNKNOWN_ATTACHMENTS_REPORT)).map(
    (attachment) => {
      if (!isPreview(attachment) || body === '') return attachmentToMarkdown(attachment, parts)
      leave('link previews: only the links are imported')
      return ''
    },
  )
  const text = [body, ...attached].filter((one) => one.trim() !== '').join('\n\n')
  if (!isTextContainedIn(slackToMarkdown(message.text ?? '', names), text))
    leave('notification texts of app messages: the visible blocks are imported instead')
  return { text: message.subtype === 'me_message' ? `/me ${text}` : text, mentions }
}

function convertBody({ text, blocks, bot_id: bot, app_id: app, subtype }: SlackMessage, parts: SlackParts): string {
  const isOfApp = bot !== undefined || app !== undefined || subtype === 'bot_message'
  const isAllText = !isOfApp && toRecords(blocks).every(({ type }) => type === 'rich_text')
  return (isAllText ? parts.markup(text ?? '') : '') || blocksToMarkdown(blocks, parts) || parts.markup(text ?? '')
}

function isPreview(attachment: SlackAttachment): boolean {
  const { from_url: from, app_id: app, bot_id: bot, blocks } = attachment
  const { is_msg_unfurl: isMessage, is_share: isShared, is_reply_unfurl: isReply, is_app_unfurl: isOfApp } = attachment
  const isSaid = [isMessage, isShared, isReply, isOfApp].includes(true)
  return from !== undefined && !isSaid && app === undefined && bot === undefined && blocks === undefined
}

export function slackToMarkdown(text: string, names: SlackNames): string {
  return createSlackParts(names, new Set(), () => undefined).markup(text)
}

function attachmentToMarkdown(attachment: SlackAttachment, parts: SlackParts): string {
  const { before, inside } = attachmentPartsToMarkdown(attachment, parts, blocksOfAttachment(attachment, parts))
  return [before, quoteMarkdown(inside)].filter((part) => part.trim() !== '').join('\n')
}

function createSlackParts(names: SlackNames, mentions: Set<number>, leave: (what: string) => void): SlackParts {
  return {
    markup: (text) => markupToMarkdown(text, names, mentions, leave),
    words: (text) => withEmoji(cleanText(text), names),
    markdown: (text) => withEmoji(cleanText(text), names),
    code: inlineCode,
    preformatted: fenceCode,
    quote: quoteMarkdown,
    link: markdownLink,
    user: (id) => convertMention(id, names, mentions) ?? reportUnknownMention(leave),
    group: () => reportUnknownGroup(leave),
    channel: (id) => channelLink(id, names) ?? reportUnknownChannel(leave),
    emoji: (name) => `:${names.emojiNamed(name)?.name ?? name}:`,
    unknown: (kind) => leave(`blocks of app messages of an unknown kind (${kind.slice(0, 40)})`),
  }
}

function convertMention(id: string, { users }: SlackNames, mentions: Set<number>): string | undefined {
  const account = users.get(id)
  if (account === undefined) return undefined
  mentions.add(account.id)
  return `@**${account.fullName}|${account.id}**`
}

function channelLink(id: string, { channels }: SlackNames): string | undefined {
  const channel = channels.get(id)
  return channel && `#**${channel.name}**`
}

function reportUnknownMention(leave: (what: string) => void): string {
  leave('mentions of people missing from the export: replaced by @somebody')
  return '@somebody'
}

function reportUnknownGroup(leave: (what: string) => void): string {
  leave('mentions of user groups without a name: replaced by @group')
  return '@group'
}

function reportUnknownChannel(leave: (what: string) => void): string {
  leave('links to channels missing from the export: replaced by #private-channel')
  return '#private-channel'
}

function withEmoji(text: string, { emojiNamed }: SlackNames): string {
  return renameEmoji(text, (name) => emojiNamed(name)?.name)
}

/** Converts markup. Sets code and references aside, so that their characters are not converted. */
function markupToMarkdown(
  text: string,
  names: SlackNames,
  mentions: Set<number>,
  leave: (what: string) => void,
): string {
  const aside: string[] = []
  const setAside = (piece: string): string => `\0${aside.push(piece) - 1}\0`
  const referenceTo = (target: string, escapedLabel: string): string => {
    const label = unescapeText(escapedLabel)
    const id = target.slice(1).replace(/\^.*/, '')
    if (target.startsWith('@'))
      return convertMention(id, names, mentions) ?? (label === '' ? reportUnknownMention(leave) : `@${label}`)
    if (target.startsWith('#'))
      return channelLink(id, names) ?? (label === '' ? reportUnknownChannel(leave) : `#${label}`)
    // Converts wildcard mentions to text, because past mentions must not notify anyone again.
    if (target.startsWith('!')) return label || (id === 'subteam' ? reportUnknownGroup(leave) : `@${id}`)
    return markdownLink(label, unescapeText(target))
  }
  const converted = markdownOfSlack(cleanText(text), {
    reference: (target, label) => setAside(referenceTo(target, label)),
    code: (piece) => setAside(convertCode(piece)),
  }).replaceAll(/^[ \t]{0,8}[\u2022\u25e6\u25aa] ?/gm, '* ')
  return withEmoji(converted, names)
    .replaceAll(PLACEHOLDER_PATTERN, (_, index: string) => aside[Number(index)] ?? '')
    .trim()
}

function convertCode(piece: string): string {
  const code = unescapeText(piece.replaceAll(/<([^<>|\n]+)(?:\|[^<>\n]*)?>/g, '$1'))
  return code.startsWith('```') ? fenceCode(code.slice(3, -3)) : code
}

function fenceCode(code: string): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(code) + 1))
  return `\n${fence}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}\n`
}

function inlineCode(code: string): string {
  const ticks = '`'.repeat(longestBacktickRun(code) + 1)
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${code}${space}${ticks}`
}

function longestBacktickRun(code: string): number {
  let longest = 0
  for (const [ticks] of code.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return longest
}

function markdownLink(label: string, address: string): string {
  if (!/^(?:https?:\/\/|mailto:|tel:)[^\s<>]+$/i.test(address)) return label === '' ? address : label
  const shown = address.replace(/^(?:mailto|tel):/i, '')
  if (label === '' || label === address || label === shown) return shown
  const escaped = label.replaceAll('\n', ' ').replaceAll(/[[\]\\]/g, String.raw`\$&`)
  return `[${escaped}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Decodes the only three characters that Slack escapes. */
function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

import type { EmojiNames } from '../../platform/markdown/emoji/codes.ts'
import { markdownOfSlack } from '../../platform/markdown/slack.ts'
import { emojiNamed } from '../emoji.ts'
import type { NewEmoji } from '../new-files.ts'
import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import { cleanText } from '../texts.ts'
import { fenced, markdownOfBlocks, type BlockParts } from './blocks.ts'
import type { SlackAttachment, SlackMessage } from './records.ts'

/** What texts of Slack name. */
export interface SlackNames {
  readonly users: ReadonlyMap<string, Account>
  readonly channels: ReadonlyMap<string, Channel>
  readonly emojiNames: EmojiNames
  readonly ownEmoji: ReadonlyMap<string, NewEmoji>
}

const EMOJI = /:([\w+'-]{1,64})(?:::skin-tone-\d)?:/g
/** What was set aside while the rest of a text is converted. */
const ASIDE = /\0(\d+)\0/g

/** What a message says, as Markdown, and the accounts that it mentions. */
export function textOfMessage(message: SlackMessage, names: SlackNames): { text: string; mentions: Set<number> } {
  const mentions = new Set<number>()
  const parts = partsFor(names, mentions)
  const said = parts.markup(message.text ?? '')
  const body = said.trim() === '' ? markdownOfBlocks(message.blocks ?? [], parts) : said
  // Slack adds previews of links as attachments; the link itself is in the text.
  const attached = (message.attachments ?? [])
    .filter(({ from_url: from }) => from === undefined || body === '')
    .map((attachment) => attachmentText(attachment, parts))
  const text = [body, ...attached].filter((one) => one.trim() !== '').join('\n\n')
  return { text: message.subtype === 'me_message' ? `/me ${text}` : text, mentions }
}

/** A text with Slack's markup that belongs to no message, such as a description. */
export function markdownOf(text: string, names: SlackNames): string {
  return partsFor(names, new Set()).markup(text)
}

function attachmentText(attachment: SlackAttachment, parts: BlockParts): string {
  const { pretext = '', title = '', title_link: address = '', text = '', fallback = '', fields, blocks } = attachment
  const heading = address === '' ? title : parts.link(address, title)
  const inside = [
    heading === '' ? '' : `**${heading}**`,
    parts.markup(text),
    ...(fields ?? []).map((field) => `**${field.title ?? ''}** ${parts.markup(field.value ?? '')}`),
    blocks === undefined ? '' : markdownOfBlocks(blocks, parts),
  ].filter((one) => one.trim() !== '')
  const quoted = (inside.length === 0 ? [parts.markup(fallback)] : inside)
    .join('\n')
    .split('\n')
    .map((line) => `> ${line}`)
  return [parts.markup(pretext), ...quoted].filter((line) => line.trim() !== '').join('\n')
}

function partsFor(names: SlackNames, mentions: Set<number>): BlockParts {
  const parts: BlockParts = {
    markup: (text) => markdownOfMarkup(text, parts),
    user(id) {
      const account = names.users.get(id)
      if (account === undefined) return ''
      mentions.add(account.id)
      return `@**${account.fullName}|${account.id}**`
    },
    channel(id) {
      const channel = names.channels.get(id)
      return channel === undefined ? '' : `#**${channel.name}**`
    },
    emoji: (name) => `:${emojiNamed(name, names.emojiNames, names.ownEmoji)?.name ?? name}:`,
    link: linkTo,
  }
  return parts
}

/** Code and references are set aside, so that signs in them mean nothing. */
function markdownOfMarkup(text: string, parts: BlockParts): string {
  const aside: string[] = []
  const setAside = (piece: string): string => `\0${aside.push(piece) - 1}\0`
  const converted = markdownOfSlack(cleanText(text), {
    reference: (target, label) => setAside(referenceTo(target, label, parts)),
    code: (piece) => setAside(codeOf(piece)),
  })
  return converted
    .replaceAll(/^[ \t]{0,8}[\u2022\u25e6\u25aa] ?/gm, '* ')
    .replaceAll(EMOJI, (_, name: string) => parts.emoji(name))
    .replaceAll(ASIDE, (_, index: string) => aside[Number(index)] ?? '')
    .trim()
}

function codeOf(piece: string): string {
  const code = unescaped(piece.replaceAll(/<([^<>|\n]+)(?:\|[^<>\n]*)?>/g, '$1'))
  return code.startsWith('```') ? fenced(code.slice(3, -3)) : code
}

function referenceTo(target: string, escapedLabel: string, parts: BlockParts): string {
  const label = unescaped(escapedLabel)
  if (target.startsWith('@')) return parts.user(target.slice(1)) || (label === '' ? '@somebody' : `@${label}`)
  if (target.startsWith('#')) return parts.channel(target.slice(1)) || (label === '' ? '#private-channel' : `#${label}`)
  // Nobody is told again of what was said to all.
  if (target.startsWith('!')) return label === '' ? `@${target.slice(1).replace(/\^.*/, '')}` : label
  return parts.link(unescaped(target), label)
}

function linkTo(address: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:|tel:)[^\s<>]+$/i.test(address)) return label === '' ? address : label
  const shown = address.replace(/^(?:mailto|tel):/i, '')
  if (label === '' || label === address || label === shown) return shown
  const escaped = label.replaceAll('\n', ' ').replaceAll(/[[\]\\]/g, String.raw`\$&`)
  return `[${escaped}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Slack writes these three signs otherwise, and no other. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

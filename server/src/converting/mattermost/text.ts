import { renameEmoji } from '../../platform/markdown/emoji/codes.ts'
import { attachmentPartsToMarkdown, type AttachmentParts } from '../../platform/markdown/slack-blocks.ts'
import type { ArchiveRecord } from '../../platform/moving/carried.ts'
import type { EmojiFinder } from '../emoji.ts'
import type { Account } from '../new-account.ts'
import type { Channel } from '../new-organization.ts'
import { quoteMarkdown } from '../texts.ts'

export interface MattermostNames {
  /** Accounts by lowercase name. */
  readonly users: ReadonlyMap<string, Account>
  /** Channels by `team/channel`. */
  readonly channels: ReadonlyMap<string, Channel>
  readonly emojiNamed: EmojiFinder
}

const CODE_PATTERN = /(```[\s\S]*?```|`[^`\n]+`)/
const NAME_REFERENCE_PATTERN = /(?<![\w@.])@([a-z\d][\w.-]{0,63})|(?<![\w~])~([a-z\d][\w-]{0,63})/gi

/** Replaces only names, because Mattermost also uses Markdown. */
export function mattermostToMarkdown(
  text: string,
  team: string,
  names: MattermostNames,
): { text: string; mentions: Set<number> } {
  const mentions = new Set<number>()
  const withNames = (words: string): string =>
    renameEmoji(words, (name) => names.emojiNamed(name)?.name).replaceAll(
      NAME_REFERENCE_PATTERN,
      (piece: string, user?: string, channel?: string) => {
        if (user !== undefined) return convertMention(user, names, mentions) ?? piece
        const found = names.channels.get(`${team}/${(channel ?? '').toLowerCase()}`)
        return found === undefined ? piece : `#**${found.name}**`
      },
    )
  const pieces = text.split(CODE_PATTERN).map((piece, index) => (index % 2 === 1 ? piece : withNames(piece)))
  return { text: pieces.join(''), mentions }
}

/** Converts a mention. A period, hyphen, or underscore at the end can be part of the name or follow the name. */
function convertMention(given: string, names: MattermostNames, mentions: Set<number>): string | undefined {
  const name = given.toLowerCase()
  let length = name.length
  while ('._-'.includes(name.charAt(length - 1)) && length > 1) length -= 1
  const short = name.slice(0, length)
  const account = names.users.get(name) ?? names.users.get(short)
  if (account === undefined) return undefined
  mentions.add(account.id)
  const rest = names.users.has(name) ? '' : given.slice(short.length)
  return `@**${account.fullName}|${account.id}**${rest}`
}

export function attachmentsToMarkdown(
  attachments: readonly ArchiveRecord[],
  team: string,
  names: MattermostNames,
): { text: string; mentions: Set<number> } {
  const mentions = new Set<number>()
  const parts: AttachmentParts = {
    markup(text) {
      const converted = mattermostToMarkdown(text, team, names)
      for (const id of converted.mentions) mentions.add(id)
      return converted.text.trim()
    },
    words: (text) => text,
    link: (label, address) =>
      /^https?:\/\/[^\s()<>]+$/i.test(address) ? `[${label.replaceAll(/[[\]\\]/g, ' ')}](${address})` : label,
  }
  const text = attachments
    .map((attachment) => attachmentPartsToMarkdown(attachment, parts))
    .map(({ before, inside }) => [before, quoteMarkdown(inside)].filter((part) => part.trim() !== '').join('\n'))
    .filter((one) => one !== '')
    .join('\n\n')
  return { text, mentions }
}

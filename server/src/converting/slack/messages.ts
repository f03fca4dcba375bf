import * as z from 'zod/mini'
import { truncate } from '../../kernel/characters.ts'
import type { Conversion } from '../convert.ts'
import type { ExportFile } from '../export-file.ts'
import type { Location, NewReaction } from '../new-messages.ts'
import type { Account } from '../new-account.ts'
import { cleanLine } from '../texts.ts'
import { itemsIn, limitRecord } from '../records.ts'
import {
  slackAttachment,
  slackFile,
  slackMessage,
  slackReaction,
  type SlackFile,
  type SlackMessage,
} from './records.ts'
import { messageToMarkdown, type SlackNames } from './text.ts'

export type SlackLocation = { /** Name in the export. */ readonly name: string } & (
  { readonly channelId: number } | { readonly memberIds: readonly number[] }
)

/** Types of messages that people or bots wrote. All others are notices of actions in Slack. */
const WRITTEN_SUBTYPES: readonly (string | undefined)[] = [
  undefined,
  'bot_message',
  'me_message',
  'thread_broadcast',
  'file_share',
  'file_comment',
  'slackbot_response',
]
const DOCUMENT_TYPES: readonly (string | undefined)[] = ['canvas', 'quip', 'list']
/** Matches UNIX seconds, with microseconds after the point. */
const TIMESTAMP_PATTERN = /^(\d{1,10})(?:\.(\d{1,6}))?$/
const MICROSECONDS_PER_SECOND = 1_000_000
const MICROSECOND_DIGITS = 6
const MAX_FILE_LABEL_CHARACTERS = 200

export class SlackMessages {
  readonly #conversion: Conversion
  readonly #names: SlackNames
  readonly #uploads: ReadonlyMap<string, ExportFile>
  readonly #stored = new Map<string, { readonly id: number; readonly path: string }>()

  /** `uploads` are files inside the export, by ID. */
  constructor(conversion: Conversion, names: SlackNames, uploads: ReadonlyMap<string, ExportFile>) {
    this.#conversion = conversion
    this.#names = names
    this.#uploads = uploads
  }

  async add(given: unknown, location: SlackLocation, path: string): Promise<void> {
    const { leftOut, messages } = this.#conversion
    const parsed = slackMessage.safeParse(given)
    const at = parsed.success ? parseMicroseconds(parsed.data.ts) : undefined
    if (!parsed.success || at === undefined) {
      leftOut.add('messages in an unknown format', path)
      return
    }
    if (!this.#isByPerson(parsed.data, path)) return
    const there = `${location.name}/${parsed.data.ts}`
    const message = limitRecord(parsed.data, (what, count) => leftOut.add(what, there, count))
    const sender = this.#senderOf(message)
    const { text, mentions } = messageToMarkdown(message, this.#names, (what) => leftOut.add(what, there))
    const files = await this.#files(message, sender, Math.floor(at / MICROSECONDS_PER_SECOND))
    await messages.add({
      there,
      sentAtMicroseconds: at,
      location: this.#locationOf(message, location, sender, there),
      senderId: sender.id,
      content: [text, ...files.links].filter((part) => part !== '').join('\n'),
      mentions: [...mentions],
      reactions: this.#reactions(message, there),
      attachmentIds: files.ids,
      starredBy: [],
      unreadBy: [],
    })
  }

  #isByPerson({ subtype, edited, is_starred: isStarred }: SlackMessage, path: string): boolean {
    const { leftOut } = this.#conversion
    if (subtype === 'tombstone') leftOut.add('messages deleted in Slack', path)
    else if (subtype === 'huddle_thread') leftOut.add('huddles', path)
    else if (!WRITTEN_SUBTYPES.includes(subtype)) {
      const kind = /^[a-z_]{1,30}$/.test(subtype ?? '') ? subtype : 'other'
      leftOut.add(`automatic notices in channels (${kind})`, path)
    } else {
      if (edited !== undefined && edited !== null) {
        leftOut.add('edited messages: only the latest text is in the export, so they do not show as edited')
      }
      if (isStarred === true) leftOut.add('starred messages: the export does not say who starred them', path)
      return true
    }
    return false
  }

  #senderOf({ user, bot_id: botId, username, user_profile: profile, bot_profile: bot }: SlackMessage): Account {
    const { organization } = this.#conversion
    if (user !== undefined && user !== '') {
      const named = [profile?.real_name, profile?.display_name, profile?.name, username].find(
        (one) => (one ?? '') !== '',
      )
      return this.#names.users.get(user) ?? organization.stranger(user, named ?? user, user === 'USLACKBOT')
    }
    const name = [username, bot?.name, botId].find((one) => (one ?? '') !== '') ?? 'somebody'
    return organization.stranger(botId ?? `bot-${name}`, name, true)
  }

  #locationOf(message: SlackMessage, location: SlackLocation, sender: Account, there: string): Location {
    const { thread_ts: thread, ts } = message
    if ('channelId' in location) {
      const { channelId } = location
      return thread === undefined || thread === '' ? { channelId, topic: '' } : { channelId, thread }
    }
    if (thread !== undefined && thread !== ts) {
      this.#conversion.leftOut.add('thread replies in direct messages: now part of the conversation itself', there)
    }
    // Includes the sender, because apps can write to conversations without being members.
    return { memberIds: [...new Set([...location.memberIds, sender.id])] }
  }

  #reactions({ reactions }: SlackMessage, there: string): NewReaction[] {
    const { leftOut } = this.#conversion
    const leave = (): void => leftOut.add('reactions in an unknown format', there)
    return itemsIn(reactions, slackReaction, leave).flatMap(({ name, users: given, count = 0 }): NewReaction[] => {
      const users = itemsIn(given, z.string(), leave)
      const unnamed = Math.floor(count) - users.length
      if (unnamed > 0) leftOut.add('reactions by people whom the export does not name', there, unnamed)
      const emoji = this.#names.emojiNamed(name)
      if (emoji === undefined) {
        leftOut.add('reactions with unknown emoji', `:${name}:`, Math.max(1, users.length))
        return []
      }
      const userIds = users.flatMap((user) => this.#names.users.get(user)?.id ?? [])
      const missing = users.length - userIds.length
      if (missing > 0) leftOut.add('reactions by people missing from the export', there, missing)
      return [{ ...emoji, userIds }]
    })
  }

  async #files(
    { files, file: onlyFile, attachments }: SlackMessage,
    sender: Account,
    createdAt: number,
  ): Promise<{ links: string[]; ids: number[] }> {
    const { leftOut } = this.#conversion
    const links: string[] = []
    const ids: number[] = []
    const given = [
      files ?? (onlyFile === undefined ? undefined : [onlyFile]),
      ...itemsIn(attachments, slackAttachment, () => undefined).map((attachment) => attachment.files),
    ]
    const all = given.flatMap((some) => itemsIn(some, slackFile, () => leftOut.add('files in an unknown format')))
    for (const file of all) {
      const name = fileLabel(file)
      if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit') {
        leftOut.add('files deleted or hidden in Slack', name)
        continue
      }
      if (DOCUMENT_TYPES.includes(file.mode) || DOCUMENT_TYPES.includes(file.filetype)) {
        leftOut.add('canvases', name)
        continue
      }
      const stored = await this.#upload(file, sender, createdAt)
      if (stored !== undefined) {
        ids.push(stored.id)
        links.push(`[${name}](${stored.path})`)
        continue
      }
      const address = externalFileUrl(file)
      if (file.is_external !== true) leftOut.add('files missing from the export: messages link to the originals', name)
      links.push(address === undefined ? name : `[${name}](${address})`)
    }
    return { links, ids }
  }

  async #upload(
    { id, user, name }: SlackFile,
    sender: Account,
    createdAt: number,
  ): Promise<{ id: number; path: string } | undefined> {
    const source = this.#uploads.get(id ?? '')
    if (id === undefined || source === undefined) return undefined
    const known = this.#stored.get(id)
    if (known !== undefined) return known
    const ownerId = this.#names.users.get(user ?? '')?.id ?? sender.id
    const made = await this.#conversion.files.attachment(source, {
      there: id,
      name: name ?? source.path,
      ownerId,
      createdAt,
    })
    this.#stored.set(id, made)
    return made
  }
}

function fileLabel({ title, name, id }: SlackFile): string {
  const label = [title, name, id].find((one) => (one ?? '').trim() !== '') ?? 'file'
  return truncate(cleanLine(label.replaceAll(/[[\]\\`]/g, ' ')), MAX_FILE_LABEL_CHARACTERS)
}

/** Returns the file's URL without the part that would give anyone access. */
function externalFileUrl({ permalink, url_private: url }: SlackFile): string | undefined {
  const address = (permalink ?? url)?.split(/[?#]/)[0]
  return address !== undefined && /^https?:\/\/[^\s()<>]+$/i.test(address) ? address : undefined
}

function parseMicroseconds(ts: string): number | undefined {
  const [, seconds, rest = ''] = TIMESTAMP_PATTERN.exec(ts) ?? []
  if (seconds === undefined) return undefined
  return Number(seconds) * MICROSECONDS_PER_SECOND + Number(rest.padEnd(MICROSECOND_DIGITS, '0'))
}

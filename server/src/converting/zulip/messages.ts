import type * as z from 'zod/mini'
import { DamagedArchive } from '../../platform/backup/reporting.ts'
import { parseUntrustedJson } from '../../platform/moving/lines.ts'
import type { Conversion } from '../convert.ts'
import { describePath, type ExportFile } from '../export-file.ts'
import { EXTRA_EMOJI_ITEM } from '../emoji.ts'
import { requireFile, readLists, type ExportFiles } from '../export-files.ts'
import { MAX_REACTIONS, type Location, type NewReaction, type PastMove, type PastState } from '../new-messages.ts'
import { limitText, MAX_LIST_ITEMS } from '../records.ts'
import type { Account } from '../new-account.ts'
import type { ZulipContext } from './channels.ts'
import {
  zulipEdit,
  zulipMessage,
  zulipMessages,
  zulipReaction,
  zulipUserMessage,
  type ZulipEdit,
  type ZulipMessage,
  type ZulipTables,
  readRows,
} from './records.ts'

const MESSAGES_FILE_PATTERN = /^messages-\d{1,9}\.json$/
const READ_FLAG = 1
const STARRED_FLAG = 2
const MENTIONED_FLAG = 8
const MICROSECONDS_PER_SECOND = 1_000_000
const MAX_UNIX_SECONDS = 2 ** 33

interface Flags {
  readonly starredBy: number[]
  readonly mentions: number[]
  readonly unreadBy: number[]
}

export async function readMessages(
  tables: ZulipTables,
  source: ExportFiles,
  known: ZulipContext,
  conversion: Conversion,
): Promise<void> {
  const { leftOut, signal, progress } = conversion
  const reactions = readReactions(tables, known, conversion)
  const pages = messageFiles(source)
  for (const [index, file] of pages.entries()) {
    signal.throwIfAborted()
    progress(index + 1, pages.length)
    const parsed = zulipMessages.safeParse(await readLists(file, Object.keys(zulipMessages.shape), conversion))
    if (!parsed.success) throw new DamagedArchive(`${describePath(file)} has no list of messages (zerver_message).`)
    const flags = readFlags(parsed.data.zerver_usermessage, known, conversion)
    for (const message of readRows('zerver_message', parsed.data.zerver_message, zulipMessage, leftOut)) {
      await addMessage(message, reactions.get(message.id) ?? [], flags.get(message.id), known, conversion)
    }
  }
}

/** @throws DamagedArchive if a file is missing */
function messageFiles(source: ExportFiles): ExportFile[] {
  const count = [...source.files.keys()].filter((path) => MESSAGES_FILE_PATTERN.test(path)).length
  return Array.from({ length: Math.max(count, 1) }, (_, index) =>
    requireFile(source, `messages-${String(index + 1).padStart(6, '0')}.json`),
  )
}

function readFlags(
  given: readonly unknown[] | undefined,
  { accounts }: ZulipContext,
  { leftOut }: Conversion,
): Map<number, Flags> {
  const flags = new Map<number, Flags>()
  for (const { user_profile: user, message, flags_mask: mask } of readRows(
    'zerver_usermessage',
    given,
    zulipUserMessage,
    leftOut,
  )) {
    const account = accounts.get(user)
    if (account === undefined) continue
    const ofMessage = flags.get(message) ?? { starredBy: [], mentions: [], unreadBy: [] }
    flags.set(message, ofMessage)
    if ((mask & READ_FLAG) === 0) ofMessage.unreadBy.push(account.id)
    if ((mask & STARRED_FLAG) !== 0) ofMessage.starredBy.push(account.id)
    if ((mask & MENTIONED_FLAG) !== 0) ofMessage.mentions.push(account.id)
  }
  return flags
}

function readReactions(
  tables: ZulipTables,
  { accounts, emojiIds }: ZulipContext,
  { leftOut, emojiNames }: Conversion,
): Map<number, NewReaction[]> {
  const reactions = new Map<number, NewReaction[]>()
  for (const row of readRows('zerver_reaction', tables.zerver_reaction, zulipReaction, leftOut)) {
    const account = accounts.get(row.user_profile)
    const emoji = convertEmoji(row, emojiIds, emojiNames)
    if (emoji === undefined) leftOut.add('reactions with unknown emoji', `:${row.emoji_name}:`)
    else if (account === undefined) leftOut.add('reactions by people missing from the export', String(row.message))
    if (account === undefined || emoji === undefined) continue
    const ofMessage = reactions.get(row.message) ?? []
    reactions.set(row.message, ofMessage)
    // Keeps one reaction beyond the limit, so that the report names the message.
    if (ofMessage.length <= MAX_REACTIONS) ofMessage.push({ ...emoji, userIds: [account.id] })
  }
  return reactions
}

function convertEmoji(
  { reaction_type: type, emoji_code: code = '', emoji_name: name }: z.output<typeof zulipReaction>,
  emojiIds: ZulipContext['emojiIds'],
  { namesByCode }: Conversion['emojiNames'],
): Omit<NewReaction, 'userIds'> | undefined {
  if (type === 'unicode_emoji') return namesByCode.has(code) ? { type, code, name } : undefined
  if (type === 'zulip_extra_emoji') return EXTRA_EMOJI_ITEM
  const own = emojiIds.get(code)
  return type === 'realm_emoji' && own !== undefined ? { type, code: own, name } : undefined
}

async function addMessage(
  message: ZulipMessage,
  reactions: readonly NewReaction[],
  flags: Flags | undefined,
  known: ZulipContext,
  conversion: Conversion,
): Promise<void> {
  const { organization, messages, leftOut } = conversion
  const { id, sender: senderId, date_sent: sentAt } = message
  const there = String(id)
  const sender = known.accounts.get(senderId) ?? organization.stranger(`user ${senderId}`, `user ${senderId}`, false)
  const location = findLocation(message, sender, known)
  if (location === undefined || !(sentAt >= 0 && sentAt < MAX_UNIX_SECONDS)) {
    leftOut.add('messages without a time, or whose recipient is missing from the export', there)
    return
  }
  const { content, attachmentIds } = convertText(
    limitText(message.content, (what) => leftOut.add(what, there)),
    known,
  )
  await messages.add({
    there,
    sentAtMicroseconds: Math.round(sentAt * MICROSECONDS_PER_SECOND),
    location,
    senderId: sender.id,
    content,
    mentions: flags?.mentions ?? [],
    reactions,
    attachmentIds,
    starredBy: flags?.starredBy ?? [],
    unreadBy: flags?.unreadBy ?? [],
    past: readPastStates(message, sender, location, known, conversion),
  })
}

function readPastStates(
  { id, date_sent: sentAt, last_edit_time: editedAt, edit_history: given }: ZulipMessage,
  sender: Account,
  location: Location,
  known: ZulipContext,
  { leftOut, carried }: Pick<Conversion, 'leftOut' | 'carried'>,
): PastState[] {
  const there = String(id)
  if (given === undefined) {
    if (editedAt !== undefined) leftOut.add('edited messages whose earlier texts are not in the export', there)
    return []
  }
  const all = typeof given === 'string' ? parseList(given) : given
  if (all.length > MAX_LIST_ITEMS) leftOut.add('edit history over the limit per message', there)
  const edits = readRows('edit_history', all.slice(0, MAX_LIST_ITEMS), zulipEdit, leftOut)
    .toReversed()
    .toSorted((one, other) => one.timestamp - other.timestamp)
  const moves = readMoves(edits, location, known)
  if (edits.some((edit) => isMove(edit) && !moves.has(edit)))
    leftOut.add('messages moved from places missing from the export: the earlier places are not shown', there)
  if (moves.size > 0) carried.add('moved messages', there)
  return edits.flatMap((edit) => {
    const { user_id: userId, timestamp, prev_content: text } = edit
    const move = moves.get(edit)
    if (text === undefined && move === undefined) return []
    const editorId = (userId === undefined ? undefined : known.accounts.get(userId)?.id) ?? sender.id
    const at = Math.floor(Math.min(Math.max(timestamp, sentAt), MAX_UNIX_SECONDS))
    const content =
      text === undefined
        ? undefined
        : convertText(
            limitText(text, (what) => leftOut.add(what, there)),
            known,
          ).content
    return [{ content, move, editorId, editedAt: at }]
  })
}

function isMove(edit: ZulipEdit): boolean {
  return previousTopic(edit) !== undefined || edit.prev_stream !== undefined
}

function previousTopic(edit: ZulipEdit): string | undefined {
  return edit.prev_topic ?? edit.prev_subject
}

/** An edit records only the old location. The new one is the old location of the next move, or the current location. */
function readMoves(
  edits: readonly ZulipEdit[],
  location: Location,
  { channels }: ZulipContext,
): Map<ZulipEdit, PastMove> {
  const moves = new Map<ZulipEdit, PastMove>()
  if (!('topic' in location)) return moves
  let to = location
  for (const edit of edits.toReversed()) {
    if (!isMove(edit)) continue
    const channelId = edit.prev_stream === undefined ? to.channelId : channels.get(edit.prev_stream)?.id
    // Stops here: without the channel, it is unknown which users could see the location.
    if (channelId === undefined) break
    const from = { channelId, topic: previousTopic(edit) ?? to.topic }
    moves.set(edit, { from, to })
    to = from
  }
  return moves
}

function parseList(text: string): readonly unknown[] {
  try {
    const list = parseUntrustedJson(text)
    return Array.isArray(list) ? list : [list]
  } catch {
    return [text]
  }
}

function findLocation(
  { recipient: to, subject }: ZulipMessage,
  sender: Account,
  { recipients }: ZulipContext,
): Location | undefined {
  const recipient = recipients.get(to)
  if (recipient === undefined) return undefined
  if ('channel' in recipient) return { channelId: recipient.channel.id, topic: subject ?? '' }
  const others = 'person' in recipient ? [recipient.person.id] : recipient.memberIds
  return { memberIds: [...new Set([...others, sender.id])] }
}

/** Matches references by ID. IDs differ in Parley, so a link to a message becomes a link to its topic. */
const REFERENCE_WITH_ID_PATTERN =
  /\/user_uploads\/(?:thumbnail\/)?(\d{1,10}\/[^\s()[\]<>"]{1,300})|(@_?)\*\*([^*|\n]{1,100})\|(\d{1,10})\*\*|(#\*\*[^*@\n]{1,150})@\d{1,15}\*\*/g

function convertText(
  content: string,
  { uploads, accounts }: ZulipContext,
): { content: string; attachmentIds: number[] } {
  const attachmentIds: number[] = []
  const converted = content.replaceAll(
    REFERENCE_WITH_ID_PATTERN,
    (piece: string, file?: string, sign?: string, name?: string, user?: string, link?: string) => {
      if (link !== undefined) return `${link}**`
      if (sign !== undefined) {
        const account = accounts.get(Number(user))
        return account === undefined ? `${sign}**${name}**` : `${sign}**${account.fullName}|${account.id}**`
      }
      const upload = uploads.get(file ?? '')
      if (upload === undefined) return piece
      attachmentIds.push(upload.id)
      return upload.path
    },
  )
  return { content: converted, attachmentIds }
}

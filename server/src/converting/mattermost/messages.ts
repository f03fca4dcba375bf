import { basename } from 'node:path/posix'
import * as z from 'zod/mini'
import type { Conversion } from '../convert.ts'
import { normalizePath, refuseUncertainPath, type ExportFile } from '../export-file.ts'
import type { ExportFiles } from '../export-files.ts'
import type { Location, NewReaction } from '../new-messages.ts'
import type { Account } from '../new-account.ts'
import { cleanLine } from '../texts.ts'
import { itemsIn, limitRecord } from '../records.ts'
import {
  mattermostAttachment,
  mattermostDirectPost,
  mattermostFile,
  mattermostPost,
  mattermostReaction,
  mattermostReply,
  type MattermostReply,
} from './records.ts'
import { attachmentsToMarkdown, mattermostToMarkdown, type MattermostNames } from './text.ts'

/** The time up to which a user has read a channel, in UNIX milliseconds. */
export interface ReadMark {
  readonly userId: number
  readonly readTo: number
}

interface MessageContext {
  readonly names: MattermostNames
  /** Read marks by channel ID, ordered by `readTo`. */
  readonly readers: ReadonlyMap<number, readonly ReadMark[]>
  readonly files: ExportFiles['files']
  readonly uncertain: ExportFiles['uncertain']
}

interface Conversation {
  readonly location: Location
  readonly team: string
  readonly there: string
}

const MICROSECONDS_PER_MILLISECOND = 1_000
const MAX_UNIX_MILLISECONDS = 2 ** 43

export class MattermostMessages {
  readonly #conversion: Conversion
  readonly #known: MessageContext

  constructor(conversion: Conversion, known: MessageContext) {
    this.#conversion = conversion
    this.#known = known
  }

  async addPost(given: unknown): Promise<void> {
    const post = this.#parsed(mattermostPost, given)
    if (post === undefined) return
    const { team, channel: name } = post
    const replies = this.#replies(post)
    const channel = this.#known.names.channels.get(`${team}/${name}`)
    const there = `${team}/${name}/${post.create_at}/${post.user}`
    if (channel === undefined) {
      this.#conversion.leftOut.add('messages in unlisted channels', there, 1 + replies.length)
      return
    }
    const location =
      replies.length === 0 ? { channelId: channel.id, topic: '' } : { channelId: channel.id, thread: there }
    await this.#add(post, { location, team, there })
    await this.#addReplies(replies, { location, team, there })
  }

  async addDirectPost(given: unknown): Promise<void> {
    const post = this.#parsed(mattermostDirectPost, given)
    if (post === undefined) return
    const members = new Set<number>()
    for (const name of [...post.channel_members, post.user]) members.add(this.#account(name).id)
    const location = { memberIds: [...members] }
    const there = `${post.channel_members.toSorted().join('+')}/${post.create_at}/${post.user}`
    await this.#add(post, { location, team: '', there })
    const replies = this.#replies(post)
    if (replies.length > 0) {
      this.#conversion.leftOut.add(
        'thread replies in direct messages: now part of the conversation itself',
        there,
        replies.length,
      )
    }
    await this.#addReplies(replies, { location, team: '', there })
  }

  #parsed<Form extends z.ZodMiniType>(form: Form, given: unknown): z.output<Form> | undefined {
    const parsed = form.safeParse(given)
    if (parsed.success) return parsed.data
    this.#conversion.leftOut.add('messages in an unknown format', JSON.stringify(given)?.slice(0, 100))
    return undefined
  }

  #replies({ replies }: { readonly replies?: unknown }): readonly unknown[] {
    return itemsIn(replies, z.unknown(), (given) => void this.#parsed(mattermostReply, given))
  }

  async #addReplies(replies: readonly unknown[], setting: Conversation): Promise<void> {
    for (const given of replies) {
      const reply = this.#parsed(mattermostReply, given)
      if (reply === undefined) continue
      const { location } = setting
      // Includes the author, who may have left the conversation later.
      const memberIds = 'memberIds' in location ? [...location.memberIds, this.#account(reply.user).id] : undefined
      await this.#add(reply, {
        ...setting,
        location: memberIds === undefined ? location : { memberIds: [...new Set(memberIds)] },
        there: `${setting.there}/${reply.create_at}/${reply.user}`,
      })
    }
  }

  #account(username: string): Account {
    const known = this.#known.names.users.get(username.toLowerCase())
    return known ?? this.#conversion.organization.stranger(username, username, false)
  }

  async #add(given: MattermostReply, { location, team, there }: Conversation): Promise<void> {
    const { leftOut, messages } = this.#conversion
    const { type = '', create_at: createdAt, edit_at: editedAt = 0 } = given
    if (type.startsWith('system_')) {
      leftOut.add('automatic notices in channels', there)
      return
    }
    if (!Number.isFinite(createdAt) || createdAt < 0 || createdAt > MAX_UNIX_MILLISECONDS) {
      leftOut.add('messages in an unknown format', there)
      return
    }
    if (editedAt > createdAt) {
      leftOut.add('edited messages: only the latest text is in the export, so they do not show as edited')
    }
    const message = limitRecord({ ...given, replies: undefined, channel_members: undefined }, (what, count) =>
      leftOut.add(what, there, count),
    )
    if (message.is_pinned === true) leftOut.add('pinned messages: imported without the pin', there)
    const sender = this.#senderOf(message)
    const said = mattermostToMarkdown(message.message ?? '', team, this.#known.names)
    const attached = attachmentsToMarkdown(
      itemsIn(message.props?.attachments, mattermostAttachment, () =>
        leftOut.add('message attachments in an unknown format', there),
      ),
      team,
      this.#known.names,
    )
    const files = await this.#files(message, sender, there)
    const words = [said.text, attached.text].filter((part) => part.trim() !== '').join('\n\n')
    const content = [words, ...files.links].filter((part) => part !== '').join('\n')
    await messages.add({
      there,
      sentAtMicroseconds: createdAt * MICROSECONDS_PER_MILLISECOND,
      location,
      senderId: sender.id,
      content: type === 'me' ? `/me ${content}` : content,
      mentions: [...said.mentions, ...attached.mentions],
      reactions: this.#reactions(message, there),
      attachmentIds: files.ids,
      starredBy: this.#starredBy(message, there),
      unreadBy: this.#unreadBy(location, createdAt, sender.id),
    })
  }

  /** Returns the sender. Messages from a webhook have its creator's account, but their own sender names. */
  #senderOf({ user, props }: MattermostReply): Account {
    const { from_webhook: isOfWebhook, override_username: name = '' } = props ?? {}
    if (String(isOfWebhook) !== 'true' || name.trim() === '') return this.#account(user)
    return this.#conversion.organization.stranger(`webhook ${name}`, name, true)
  }

  #starredBy({ flagged_by: given }: MattermostReply, there: string): number[] {
    const leave = (): void => this.#conversion.leftOut.add('messages starred by people missing from the export', there)
    return itemsIn(given, z.string(), leave).flatMap((name) => {
      const account = this.#known.names.users.get(name.toLowerCase())
      if (account !== undefined) return [account.id]
      leave()
      return []
    })
  }

  #unreadBy(location: Location, createdAt: number, senderId: number): number[] {
    if (!('channelId' in location)) return []
    const ids: number[] = []
    for (const { userId, readTo } of this.#known.readers.get(location.channelId) ?? []) {
      if (readTo >= createdAt) break
      if (userId !== senderId) ids.push(userId)
    }
    return ids
  }

  #reactions({ reactions: given }: MattermostReply, there: string): NewReaction[] {
    const { leftOut } = this.#conversion
    const { emojiNamed, users } = this.#known.names
    const leave = (): void => leftOut.add('reactions in an unknown format', there)
    return itemsIn(given, mattermostReaction, leave).flatMap(({ user = '', emoji_name: name }): NewReaction[] => {
      const emoji = emojiNamed(name)
      const account = users.get(user.toLowerCase())
      if (emoji === undefined) leftOut.add('reactions with unknown emoji', `:${name}:`)
      else if (account === undefined) leftOut.add('reactions by people missing from the export', there)
      return emoji === undefined || account === undefined ? [] : [{ ...emoji, userIds: [account.id] }]
    })
  }

  async #files(
    { attachments: given, create_at: createdAt }: MattermostReply,
    sender: Account,
    there: string,
  ): Promise<{ links: string[]; ids: number[] }> {
    const { leftOut, files } = this.#conversion
    const [links, ids]: [string[], number[]] = [[], []]
    const leave = (): void => leftOut.add('files in an unknown format', there)
    for (const { path } of itemsIn(given, mattermostFile, leave)) {
      const name = cleanLine(basename(withSlashes(path)).replaceAll(/[[\]\\`]/g, ' '))
      const file = findAttachedFile(this.#known.files, path)
      const stored =
        file === undefined
          ? undefined
          : await files.attachment(file, {
              there: path,
              name,
              ownerId: sender.id,
              createdAt: Math.floor(createdAt / 1_000),
            })
      if (file === undefined) {
        refuseUncertainPath(path, this.#known.uncertain)
        leftOut.add('files missing from the export', `${there}: ${path}`)
      }
      if (stored !== undefined) ids.push(stored.id)
      links.push(stored === undefined ? name : `[${name}](${stored.path})`)
    }
    return { links, ids }
  }
}

export function findAttachedFile(files: ReadonlyMap<string, ExportFile>, path: string): ExportFile | undefined {
  return [path, withSlashes(path)]
    .map((one) => normalizePath(one.replace(/^\/+/, '')))
    .flatMap((one) => [files.get(`data/${one}`), files.get(one)])
    .find((file) => file !== undefined)
}

/** Replaces backslashes, which servers on Windows can write. */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

import { call } from '@parley/client'
import { reactions } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { messages, store } from '../../platform/client.ts'
import { preference } from '../../platform/preferences.ts'
import { predictAndSend } from '../../platform/predicted.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'

export interface Emoji {
  readonly name: string
  readonly code: string
  readonly type: Message['reactions'][number]['reaction_type']
}

export const COMMON_EMOJI: readonly Emoji[] = [
  { name: '+1', code: '1f44d', type: 'unicode_emoji' },
  { name: 'heart', code: '2764', type: 'unicode_emoji' },
  { name: 'tada', code: '1f389', type: 'unicode_emoji' },
  { name: 'joy', code: '1f602', type: 'unicode_emoji' },
  { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
  { name: 'check', code: '2705', type: 'unicode_emoji' },
]

/** Two rows of the picker. */
const MAX_RECENT_EMOJI = 16
/** Number of emoji offered beside each message. */
export const QUICK_EMOJI_COUNT = 3

function isEmojiList(kept: unknown): kept is readonly Emoji[] {
  return (
    Array.isArray(kept) &&
    kept.every(
      (one: Partial<Emoji> | null) =>
        typeof one?.code === 'string' && typeof one.name === 'string' && typeof one.type === 'string',
    )
  )
}

const recentEmojiPreference = preference<readonly Emoji[]>('reactions.recent', COMMON_EMOJI, isEmojiList)

export const emojiKey = ({ type, code }: Pick<Emoji, 'type' | 'code'>): string => `${type}:${code}`

/** Returns frequently used emoji first. */
export function recentEmoji(): readonly Emoji[] {
  return recentEmojiPreference.read().filter(({ type, code }) => type !== 'realm_emoji' || !isDeactivatedEmoji(code))
}

const isDeactivatedEmoji = (code: string): boolean => store().read('realm_emoji')[code]?.deactivated !== false

/** Moves the emoji halfway to the front, so that a single use does not displace emoji that people use often. */
export function recordEmojiUse(emoji: Emoji): void {
  const known = recentEmojiPreference.read()
  const at = known.findIndex((one) => emojiKey(one) === emojiKey(emoji))
  if (at !== -1 && at < QUICK_EMOJI_COUNT) return
  const others = known.filter((_, index) => index !== at)
  const place = at === -1 ? QUICK_EMOJI_COUNT : Math.floor(at / 2)
  void recentEmojiPreference.write(others.toSpliced(place, 0, emoji).slice(0, MAX_RECENT_EMOJI))
}

export function emojiPictureUrl(code: string): string | undefined {
  return store().read('realm_emoji')[code]?.source_url
}

const loadedEmoji = signal<readonly Emoji[] | undefined>(undefined)

/** Returns custom emoji first, and then only common emoji until all emoji are loaded. */
export function allEmoji(): readonly Emoji[] {
  if (loadedEmoji.value === undefined) void loadEmoji()
  const own = Object.values(store().read('realm_emoji'))
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }): Emoji => ({ name, code: id, type: 'realm_emoji' }))
  return [...own, ...(loadedEmoji.value ?? COMMON_EMOJI)]
}

let pendingEmoji: Promise<void> | undefined

async function loadEmoji(): Promise<void> {
  pendingEmoji ??= fetchEmoji()
  await pendingEmoji
}

async function fetchEmoji(): Promise<void> {
  try {
    const response = await fetch('/static/emoji.json')
    // Safe: the file at `server_emoji_data_url` has this format.
    const { code_to_names: names } = (await response.json()) as { code_to_names: Record<string, string[]> }
    const codes = Object.keys(names).toSorted((one, other) => emojiGroupIndex(one) - emojiGroupIndex(other))
    loadedEmoji.value = codes.flatMap((code) =>
      (names[code] ?? []).map((name): Emoji => ({ name, code, type: 'unicode_emoji' })),
    )
  } catch {
    pendingEmoji = undefined
  }
}

const CODE_POINT_GROUPS: readonly (readonly [first: number, last: number])[] = [
  [0x1f6_00, 0x1f6_4f],
  [0x1f9_00, 0x1f9_ff],
  [0x1f4_40, 0x1f4_ff],
  [0x1f3_00, 0x1f4_3f],
  [0x1f5_00, 0x1fa_ff],
  [0, 0x1f1_e5],
]

function emojiGroupIndex(code: string): number {
  const point = Number.parseInt(code, 16)
  const group = CODE_POINT_GROUPS.findIndex(([first, last]) => point >= first && point <= last)
  return group === -1 ? CODE_POINT_GROUPS.length : group
}

export interface ReactionGroup extends Emoji {
  readonly userIds: readonly number[]
}

export function reactionGroups(message: Message): readonly ReactionGroup[] {
  const groups = new Map<string, ReactionGroup>()
  for (const { emoji_name: name, emoji_code: code, reaction_type, user_id } of message.reactions) {
    const key = `${reaction_type}:${code}`
    const group = groups.get(key) ?? { name, code, type: reaction_type, userIds: [] }
    groups.set(key, { ...group, userIds: [...group.userIds, user_id] })
  }
  return [...groups.values()]
}

export function isOwnReaction({ reactions: all }: Message, { code, type }: Emoji): boolean {
  return all.some((one) => one.user_id === ownId() && one.emoji_code === code && one.reaction_type === type)
}

export async function toggleReaction({ id }: Message, { name, code, type }: Emoji): Promise<void> {
  const input = { message_id: id, emoji_name: name, emoji_code: code, reaction_type: type }
  const message = messages.get(id)?.peek()
  const adds = message === undefined || !isOwnReaction(message, { name, code, type })
  if (adds) recordEmojiUse({ name, code, type })
  const event = (op: 'add' | 'remove') => ({ type: 'reaction', op, user_id: ownId(), ...input })
  const add = async () => call(SESSION, reactions.addReaction, input)
  const remove = async () => call(SESSION, reactions.removeReaction, input)
  if (!(await predictAndSend(event(adds ? 'add' : 'remove'), event(adds ? 'remove' : 'add'), adds ? add : remove)))
    return
  offerUndo(adds ? t().messages.wasReacted(name) : t().messages.wasUnreacted(name), adds ? remove : add, {
    isQuiet: true,
  })
}

import { everyone } from '../../kernel/audience.ts'
import type { Input } from '../../kernel/endpoint.ts'
import type { World } from '../../kernel/fold.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { Call } from '../../platform/capability.ts'
import { loadEmojiNames, type EmojiNames } from '../../platform/markdown/emoji/names.ts'
import { emojiToAdd } from '../reactions/rules.ts'
import { knownUser, requireMayManage } from '../users/rules.ts'
import type * as contract from './contract.ts'
import { userStatusChanged } from './contract.ts'
import type { StoredStatus } from './queries.ts'

type Wanted = Input<typeof contract.updateOwnStatus>

const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const

export async function updateOwnStatus(call: Call, wanted: Wanted): Promise<Record<string, never>> {
  const names = await loadEmojiNames()
  return call.log.act(call.actor, async (tx) => change(tx, tx.actor.userId, wantedPart(tx.world, names, wanted)))
}

export async function updateUserStatus(
  call: Call,
  { user_id, ...wanted }: Input<typeof contract.updateUserStatus>,
): Promise<Record<string, never>> {
  const names = await loadEmojiNames()
  return call.log.act(call.actor, async (tx) => {
    const target = knownUser(tx.world, user_id)
    if (target.id !== tx.actor.userId) requireMayManage(tx.actor, target)
    return change(tx, target.id, wantedPart(tx.world, names, wanted))
  })
}

/** What a request says of the text and of the emoji: both, or one of them. */
function wantedPart(
  world: World,
  names: EmojiNames,
  { status_text, emoji_name, ...coded }: Wanted,
): Partial<StoredStatus> {
  if (emoji_name === undefined && (coded.emoji_code !== undefined || coded.reaction_type !== undefined)) {
    throw new Refusal('BAD_REQUEST', 'Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  if (status_text === undefined && emoji_name === undefined) {
    throw new Refusal('BAD_REQUEST', 'Client did not pass any new values.')
  }
  const text = status_text === undefined ? {} : { status_text: status_text.trim() }
  if (emoji_name === undefined) return text
  if (emoji_name === '') return { ...text, ...NO_EMOJI }
  const { mine: _, isThere: __, ...emoji } = emojiToAdd({ names, world }, { emoji_name, ...coded }, [])
  return { ...text, ...emoji }
}

async function change(tx: ActorTx, userId: number, part: Partial<StoredStatus>): Promise<Record<string, never>> {
  const stored = await tx.db
    .selectFrom('user_statuses')
    .select(['status_text', 'emoji_name', 'emoji_code', 'reaction_type'])
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // Written only below, where the type of the emoji has been checked.
  const before = (stored ?? { status_text: '', ...NO_EMOJI }) as StoredStatus
  const after = { ...before, ...part }
  const isOtherText = after.status_text !== before.status_text
  const isOtherEmoji = (['emoji_name', 'emoji_code', 'reaction_type'] as const).some(
    (name) => after[name] !== before[name],
  )
  if (!isOtherText && !isOtherEmoji) return {}
  await tx.db
    .insertInto('user_statuses')
    .values({ organization_id: tx.organizationId, user_id: userId, ...after })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(after))
    .execute()
  const { status_text, ...emoji } = after
  const told = { ...(isOtherText ? { status_text } : {}), ...(isOtherEmoji ? emoji : {}) }
  tx.emit(userStatusChanged, { user_id: userId, ...told }, everyone)
  return {}
}

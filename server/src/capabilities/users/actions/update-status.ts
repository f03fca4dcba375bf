import type { Input } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { EmojiNames } from '../../../platform/markdown/emoji/codes.ts'
import { loadEmojiNames } from '../../../platform/markdown/emoji/names.ts'
import { requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import { emojiToAdd } from '../../reactions/rules.ts'
import { changePersonalSettings } from './personal.ts'
import { changeStatus } from './status.ts'
import { NO_STATUS, type StoredStatus } from '../queries/status.ts'
import { knownUser, requireMayManage } from '../rules/index.ts'
import { requireVisibleUser } from '../rules/visibility.ts'
import type * as contract from '../contract/status.ts'

type StatusInput = Omit<Input<typeof contract.updateUserStatus>, 'user_id'>

const { status_text: _, ...NO_EMOJI } = NO_STATUS

export async function emojiNames({ server }: PreparationCall): Promise<EmojiNames> {
  return loadEmojiNames(server.apiNames)
}

export async function updateOwnStatus(
  tx: ActorTx,
  { away, ...wanted }: Input<typeof contract.updateOwnStatus>,
  names: EmojiNames,
): Promise<Record<string, never>> {
  const own = knownUser(tx.organization, tx.actor.userId)
  await requireNoNewcomerLinks(tx, tx.actor, [wanted.status_text ?? ''])
  await changeStatus(tx, own, requestedStatusChange(tx.organization, names, wanted, away === undefined))
  if (away !== undefined) await changePersonalSettings(tx, own, { presence_enabled: !away })
  return {}
}

export async function updateUserStatus(
  tx: ActorTx,
  { user_id, ...wanted }: Input<typeof contract.updateUserStatus>,
  names: EmojiNames,
): Promise<Record<string, never>> {
  const target = requireVisibleUser(tx.organization, tx.actor, user_id)
  if (target.id !== tx.actor.userId) requireMayManage(tx.actor, target)
  await requireNoNewcomerLinks(tx, tx.actor, [wanted.status_text ?? ''])
  await changeStatus(tx, target, requestedStatusChange(tx.organization, names, wanted, true))
  return {}
}

/** Returns the text or emoji to set, or both. */
function requestedStatusChange(
  organization: OrganizationState,
  names: EmojiNames,
  { status_text, emoji_name, ...coded }: StatusInput,
  isAll: boolean,
): Partial<StoredStatus> {
  if (emoji_name === undefined && (coded.emoji_code !== undefined || coded.reaction_type !== undefined)) {
    throw new ApiError('BAD_REQUEST', 'Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  if (isAll && status_text === undefined && emoji_name === undefined) {
    throw new ApiError('BAD_REQUEST', 'Client did not pass any new values.')
  }
  const text = status_text === undefined ? {} : { status_text: status_text.trim() }
  if (emoji_name === undefined) return text
  if (emoji_name === '') return { ...text, ...NO_EMOJI }
  const { mine: _mine, isThere: _isThere, ...emoji } = emojiToAdd({ names, organization }, { emoji_name, ...coded }, [])
  return { ...text, ...emoji }
}

import { ROLE } from '../../../kernel/actor.ts'
import { isPrintable, hasVisibleCharacter } from '../../../kernel/characters.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { ChannelPermission } from '../../groups/contract/permissions.ts'
import { isCovered } from '../../groups/rules.ts'
import { UNLIMITED_RETENTION } from '../../organizations/contract/settings.ts'
import { groupSetting, settingOf } from '../../organizations/queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type { Channel } from '../queries/index.ts'
import { mayCreateChannel, privacyOf } from '../rules/index.ts'

/* Validates channel settings. Unchanged settings need no permission. */

export function validateChannelName(name: string): string {
  const trimmed = name.trim().normalize('NFC')
  if (!hasVisibleCharacter(trimmed)) throw new ApiError('BAD_REQUEST', "Channel name can't be empty.")
  if (!isPrintable(trimmed)) throw new ApiError('BAD_REQUEST', 'Invalid character in channel name.')
  return trimmed
}

export type ChannelPrivacy = Pick<Channel, 'inviteOnly' | 'isWebPublic' | 'historyPublic'>

const DEFAULT_PRIVACY: ChannelPrivacy = { inviteOnly: false, isWebPublic: false, historyPublic: true }

export function validatePrivacy(
  tx: ActorTx,
  server: ServerFacts,
  wanted: {
    readonly isPrivate?: boolean | undefined
    readonly isWebPublic?: boolean | undefined
    readonly historyPublic?: boolean | undefined
  },
  current?: ChannelPrivacy,
): ChannelPrivacy {
  const before = current ?? DEFAULT_PRIVACY
  // If only one of `isPrivate` and `isWebPublic` is given, it determines the other.
  const inviteOnly = wanted.isPrivate ?? (wanted.isWebPublic !== true && before.inviteOnly)
  const isWebPublic = wanted.isWebPublic ?? (!inviteOnly && before.isWebPublic)
  if (inviteOnly && isWebPublic) {
    throw new ApiError('BAD_REQUEST', 'Invalid parameters: a web-public channel cannot be private.')
  }
  if (!inviteOnly && wanted.historyPublic === false) {
    throw new ApiError('BAD_REQUEST', 'Invalid parameters: a public channel has public history.')
  }
  const historyPublic = !inviteOnly || (wanted.historyPublic ?? (before.inviteOnly && before.historyPublic))
  const after = { inviteOnly, isWebPublic, historyPublic }
  const kind = privacyOf(after)
  if (current !== undefined && privacyOf(current) === kind) return after
  if (kind === 'web-public' && !(server.webPublicChannels && settingOf(tx.organization, 'enable_spectator_access'))) {
    throw new ApiError('BAD_REQUEST', 'Web-public channels are not enabled.')
  }
  if (!mayCreateChannel(tx.organization, tx.actor, kind)) throw insufficientPermissionError()
  return after
}

export function resolveIsDefault(
  tx: ActorTx,
  wanted: boolean | undefined,
  { inviteOnly, isArchived = false }: Pick<Channel, 'inviteOnly'> & Partial<Pick<Channel, 'isArchived'>>,
  current = false,
): boolean {
  const isDefault = wanted ?? current
  if (isDefault !== current && !isAdministrator(tx.actor)) throw insufficientPermissionError()
  if (isDefault && inviteOnly) throw new ApiError('BAD_REQUEST', 'A default channel cannot be private.')
  if (isDefault && isArchived) throw new ApiError('BAD_REQUEST', 'A default channel cannot be archived.')
  return isDefault
}

export const MAX_RETENTION_DAYS = 365_000

export function validateRetention(
  tx: ActorTx,
  wanted: number | string | undefined,
  current: number | null = null,
): number | null {
  const days = wanted === undefined ? current : parseRetentionDays(wanted)
  if (days !== current && tx.actor.role !== ROLE.owner) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  }
  return days
}

function parseRetentionDays(days: number | string): number | null {
  if (days === 'realm_default') return null
  if (days === 'unlimited') return UNLIMITED_RETENTION
  if (typeof days !== 'number' || days < 1 || days > MAX_RETENTION_DAYS) {
    throw new ApiError('BAD_REQUEST', "Bad value for 'message_retention_days'")
  }
  return days
}

export function validateTopicsPolicy(
  tx: ActorTx,
  wanted: Channel['topicsPolicy'] | undefined,
  current: Channel['topicsPolicy'] = 'inherit',
): Channel['topicsPolicy'] {
  const policy = wanted ?? current
  if (
    policy !== current &&
    !isCovered(tx.organization, tx.actor, groupSetting(tx.organization, 'can_set_topics_policy_group'))
  ) {
    throw insufficientPermissionError()
  }
  return policy
}

export async function requireOnlyEmptyTopic(tx: ActorTx, channel: Channel): Promise<void> {
  const named = await tx.db.rows(
    'require_only_empty_topic',
    `select 1 from topics t where t.organization_id = $1 and t.channel_id = $2 and t.name_key <> ''
       and exists (select 1 from messages m where m.organization_id = $1 and m.topic_id = t.id) limit 1`,
    [tx.organizationId, channel.id],
  )
  if (named.length > 0) {
    throw new ApiError('BAD_REQUEST', 'To allow only the empty topic, all messages in the channel must be in it.')
  }
}

/** An archived folder is allowed only if the channel is already in it. */
export async function validateFolderId(
  tx: ActorTx,
  wanted: number | null | undefined,
  current: number | null = null,
): Promise<number | null> {
  if (wanted === undefined || wanted === current) return current
  if (wanted === null) return null
  const folder = await tx.db
    .selectFrom('channel_folders')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', wanted)
    .where('is_archived', '=', false)
    .executeTakeFirst()
  if (folder === undefined) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID')
  return folder.id
}

export function requireMaySetDeletionPermissions(tx: ActorTx): void {
  if (!isCovered(tx.organization, tx.actor, groupSetting(tx.organization, 'can_set_delete_message_policy_group'))) {
    throw insufficientPermissionError()
  }
}

export const DELETION_PERMISSIONS: readonly ChannelPermission[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
]

export function insufficientPermissionError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Insufficient permission')
}

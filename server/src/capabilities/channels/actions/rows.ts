import { caseKey } from '../../../kernel/case-key.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { channelsProjection, type Channel } from '../queries/index.ts'

export async function insertChannel(tx: Tx, channel: Channel): Promise<void> {
  await tx.db
    .insertInto('channels')
    .values({
      organization_id: tx.organizationId,
      id: channel.id,
      date_created: channel.dateCreated,
      creator_id: channel.creatorId,
      ...columnsOf(channel),
    })
    .execute()
  tx.change(channelsProjection, channel)
}

export async function saveChannel(tx: Tx, channel: Channel): Promise<void> {
  await tx.db
    .updateTable('channels')
    .set(columnsOf(channel))
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', channel.id)
    .execute()
  tx.change(channelsProjection, channel)
}

function columnsOf(channel: Channel) {
  return {
    name: channel.name,
    name_key: caseKey(channel.name),
    description: channel.description,
    rendered_description: channel.renderedDescription,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublic,
    is_default: channel.isDefault,
    is_archived: channel.isArchived,
    message_retention_days: channel.messageRetentionDays,
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId,
    first_message_id: channel.firstMessageId,
    is_recently_active: channel.isRecentlyActive,
    weekly_traffic: channel.weeklyTraffic,
    permissions: JSON.stringify(channel.permissions),
  }
}

import { ROLE } from '../../kernel/actor.ts'
import { isBlank } from '../../kernel/characters.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { escapeMarkdown } from '../../platform/markdown/escape.ts'
import { narrowUrl } from '../../platform/markdown/narrow.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { addAuditEntry } from '../audit-log/actions.ts'
import { describeChange } from '../audit-log/rules/described.ts'
import { destinationWithAllowedTopic } from '../channels/actions/noticed.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import { readablePart } from '../channels/rules/index.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { silentMentionOf, prepareNotice, postMessages, fenceText } from '../messages/actions/post.ts'
import { readableMessage, type StoredMessage } from '../messages/queries/index.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import {
  CLOSED_REPORT_RETENTION_SECONDS,
  messageReportUpdated,
  OPEN_STATES,
  REPORT_ENTRY_LIMIT,
  REPORT_RATE,
  REPORT_REASONS,
  REPORTS_TOPIC,
  type MessageReport,
  type ReportEntry,
  type ReportState,
} from './contract.ts'
import { entriesOf, reportById, reportOfMessage, requireVisibleReport } from './queries.ts'
import { maySeeReport } from './rules.ts'

type ReportInput = Input<typeof contract.reportMessage>

/** Quotes the message in the moderators' channel, even if they cannot read it, unless its sender could read the quote. */
export async function reportMessage(
  tx: ActorTx,
  input: ReportInput,
  server: ServerFacts,
): Promise<Record<string, never>> {
  const message = await readableMessage(tx, input.message_id)
  const renderContext = moderationChannel(tx)
  if (input.report_type === 'other' && input.description.trim() === '') {
    throw new ApiError('BAD_REQUEST', 'An explanation is required for this report type.')
  }
  if (!(await fileReport(tx, message, input)) || senderCanRead(tx.organization, message, renderContext)) return {}
  await postMessages(tx, [
    await prepareNotice(
      tx,
      server,
      destinationWithAllowedTopic(tx, renderContext, REPORTS_TOPIC),
      reportText(tx, server, message, input),
    ),
  ])
  return {}
}

/** Checks that the channel is still private: it may have become public since it was chosen. */
function moderationChannel(tx: ActorTx): Channel {
  const channel = channelById(tx.organization, settingOf(tx.organization, 'moderation_request_channel_id'))
  if (channel === undefined || channel.isArchived || !channel.inviteOnly) {
    throw new ApiError('BAD_REQUEST', 'Moderation request channel must be specified to enable message reporting.')
  }
  return channel
}

function senderCanRead(organization: OrganizationState, { senderId }: StoredMessage, channel: Channel): boolean {
  const sender = userById(organization, senderId)
  return [senderId, sender?.botOwnerId ?? senderId].some((id) => {
    const { role } = knownUser(organization, id)
    return readablePart(organization, { userId: id, role }, channel) !== 'none'
  })
}

function reportText(tx: ActorTx, server: ServerFacts, message: StoredMessage, input: ReportInput): string {
  const { report_type: reason, description } = input
  const reporter = silentMentionOf(tx.organization, tx.actor.userId)
  const sender = silentMentionOf(tx.organization, message.senderId)
  const parts = [
    `${reporter} reported a message that ${sender} sent ${describeConversation(tx, server, message)}.`,
    `**Reason:** ${REPORT_REASONS[reason]}`,
    ...(description.trim() === '' ? [] : ['**Explanation:**', fenceText(description)]),
    '**Message:**',
    fenceText(message.content),
  ]
  return parts.join('\n\n')
}

function describeConversation(tx: ActorTx, server: ServerFacts, { id, channelId, topic }: StoredMessage): string {
  const channel = channelId === null ? undefined : channelById(tx.organization, channelId)
  if (channel === undefined) return 'in a direct message'
  const name = escapeMarkdown(`#${channel.name} > ${presentTopic(topic, false)}`)
  return `in [${name}](${server.urlOf(tx.organization)}${narrowUrl(channel, topic, id)})`
}

/** Reopens a closed report if another person reports the message. Returns whether the report says anything new. */
async function fileReport(
  tx: ActorTx,
  message: StoredMessage,
  { report_type: reason, description }: ReportInput,
): Promise<boolean> {
  const known = await reportOfMessage(tx.db, tx.organizationId, message.id)
  const entries = known === undefined ? [] : await entriesOf(tx.db, tx.organizationId, known.report_id)
  const own = entries.findLast(({ kind, user_id }) => kind === 'reported' && user_id === tx.actor.userId)
  // Readers of the old place need not be able to read the message where it is now.
  const isMoved = known !== undefined && known.stream_id !== message.channelId
  const changed = known === undefined || isMoved || known.content === message.content ? null : message.content
  if (own !== undefined && own.message_content === changed) return false
  await requireReportRate(tx)
  const id = known?.report_id ?? (await insertReport(tx, message))
  await makeRoomForEntry(tx, id)
  await insertEntry(tx, id, { kind: 'reported', reason, content: description.trim(), message_content: changed })
  if (known !== undefined && !OPEN_STATES.includes(known.state)) await writeState(tx, id, 'new', null)
  await emitReport(tx, id)
  return true
}

async function requireReportRate(tx: ActorTx): Promise<void> {
  const [sent] = await tx.db.rows<{ count: number; oldest: number }>(
    'count_reports',
    `select count(*)::int as count, min(created_at) as oldest from message_report_entries
     where organization_id = $1 and user_id = $2 and created_at > $3 and kind = 'reported'`,
    [tx.organizationId, tx.actor.userId, tx.now - REPORT_RATE.seconds],
  )
  if (sent === undefined || sent.count < REPORT_RATE.count) return
  throw new ApiError('RATE_LIMIT_HIT', 'You have reported many messages. Try again later.', {
    'retry-after': Math.max(1, sent.oldest + REPORT_RATE.seconds - tx.now),
  })
}

async function insertReport(tx: ActorTx, message: StoredMessage): Promise<number> {
  const id = tx.nextId()
  await tx.db
    .insertInto('message_reports')
    .values({
      organization_id: tx.organizationId,
      id,
      message_id: message.id,
      channel_id: message.channelId,
      topic: message.topic,
      sender_id: message.senderId,
      content: message.content,
      date_sent: message.dateSent,
      state: 'new',
      assignee_id: null,
      reported_at: tx.now,
      changed_at: tx.now,
    })
    .execute()
  return id
}

type NewEntry = Pick<ReportEntry, 'kind' | 'content'> &
  Partial<Pick<ReportEntry, 'reason' | 'message_content' | 'assignee_id'>>

async function insertEntry(tx: ActorTx, reportId: number, entry: NewEntry): Promise<number> {
  const { kind, content, reason = null, message_content = null, assignee_id = null } = entry
  const id = tx.nextId()
  await tx.db
    .insertInto('message_report_entries')
    .values({
      organization_id: tx.organizationId,
      id,
      report_id: reportId,
      user_id: tx.actor.userId,
      created_at: tx.now,
      kind,
      reason,
      content,
      message_content,
      assignee_id,
    })
    .execute()
  return id
}

/** Deletes the oldest entries of a full history, reports last, so that people can always report and moderators act. */
async function makeRoomForEntry(tx: Tx, reportId: number): Promise<void> {
  await tx.db.rows(
    'make_room_for_entry',
    `delete from message_report_entries where organization_id = $1 and report_id = $2 and id in (
       select id from message_report_entries where organization_id = $1 and report_id = $2
       order by kind = 'reported' desc, created_at desc, id desc offset $3)`,
    [tx.organizationId, reportId, REPORT_ENTRY_LIMIT.most - 1],
  )
}

async function writeState(tx: Tx, id: number, state: ReportState, assigneeId: number | null): Promise<void> {
  await tx.db
    .updateTable('message_reports')
    .set({ state, assignee_id: assigneeId, changed_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** The sender of the reported message never learns of the report. `isReportEventWanted` excludes others. */
async function emitReport(tx: Tx, id: number): Promise<void> {
  const report = await reportById(tx.db, tx.organizationId, id)
  if (report === undefined) throw new Error(`report ${id} is missing`)
  const clients = { capability: 'message_reports', has: true } as const
  tx.emit(messageReportUpdated, { report }, { roleAtMost: ROLE.moderator, except: [report.sender_id], clients })
}

export async function updateMessageReport(
  tx: ActorTx,
  input: Input<typeof contract.updateMessageReport>,
): Promise<Record<string, never>> {
  const report = await requireVisibleReport(tx, input.report_id)
  if (report.state !== input.old_state || report.assignee_id !== input.old_assignee_id) {
    throw new ApiError('EXPECTATION_MISMATCH', 'Another moderator has changed this report.')
  }
  const { state, note } = input
  const assigneeId = assigneeAfter(tx, report, input)
  if (state === report.state && assigneeId === report.assignee_id) {
    throw new ApiError('BAD_REQUEST', 'Nothing to change')
  }
  await writeState(tx, report.report_id, state, assigneeId)
  await makeRoomForEntry(tx, report.report_id)
  await insertEntry(tx, report.report_id, { kind: state, content: note.trim(), assignee_id: assigneeId })
  await emitReport(tx, report.report_id)
  await addReportAuditEntry(tx, report, state, assigneeId)
  return {}
}

function assigneeAfter(
  tx: ActorTx,
  report: MessageReport,
  { state, assignee_id: wanted }: Input<typeof contract.updateMessageReport>,
): number | null {
  if (state === 'new') {
    if (wanted !== undefined) throw new ApiError('BAD_REQUEST', 'A new report has no assignee.')
    return null
  }
  const assignee = userById(tx.organization, wanted ?? report.assignee_id ?? tx.actor.userId)
  if (wanted === undefined) return assignee?.id ?? tx.actor.userId
  const maySee =
    assignee?.isActive === true && maySeeReport(tx.organization, { userId: assignee.id, role: assignee.role }, report)
  if (!maySee) throw new ApiError('BAD_REQUEST', 'Only a moderator who can see the report can handle it.')
  return assignee.id
}

/** Does not identify the report: a reported administrator can read the audit log, and infer the one they cannot see. */
async function addReportAuditEntry(
  tx: ActorTx,
  report: MessageReport,
  state: ReportState,
  assigneeId: number | null,
): Promise<void> {
  await addAuditEntry(tx, {
    kind: 'reports',
    action: 'changed',
    target: null,
    changes: [
      ...describeChange('state', report.state, state),
      ...describeChange('assignee', report.assignee_id, assigneeId),
    ],
  })
}

export async function addReportNote(
  tx: ActorTx,
  { report_id: reportId, content }: Input<typeof contract.addReportNote>,
): Promise<Output<typeof contract.addReportNote>> {
  await requireVisibleReport(tx, reportId)
  if (isBlank(content)) throw new ApiError('BAD_REQUEST', 'A note cannot be empty.')
  await makeRoomForEntry(tx, reportId)
  const entryId = await insertEntry(tx, reportId, { kind: 'note', content: content.trim() })
  await emitReport(tx, reportId)
  return { entry_id: entryId }
}

export async function deleteExpiredReport(tx: Tx, id: number): Promise<void> {
  await tx.db
    .deleteFrom('message_reports')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('state', 'in', ['resolved', 'dismissed'])
    .where('changed_at', '<', tx.now - CLOSED_REPORT_RETENTION_SECONDS)
    .execute()
}

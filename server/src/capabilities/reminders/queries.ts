import type { Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import type { Reminder } from './contract.ts'
import type * as contract from './contract.ts'
import { toListedReminder } from './contract.ts'

export interface StoredReminder {
  readonly id: number
  readonly userId: number
  readonly messageId: number
  readonly content: string
  readonly renderedContent: string
  readonly deliveryAt: number
  readonly failed: boolean
}

const REMINDER_COLUMNS = `
  id, user_id as "userId", message_id as "messageId", content, rendered_content as "renderedContent",
  delivery_at as "deliveryAt", failed`

const REMINDER_BY_ID = `select ${REMINDER_COLUMNS} from reminders where organization_id = $1 and id = $2`

const REMINDERS_OF_USER = `
  select ${REMINDER_COLUMNS} from reminders where organization_id = $1 and user_id = $2 order by delivery_at, id`

const MAX_DUE_REMINDERS = 500

const DUE_REMINDERS = `
  select r.organization_id as "organizationId", r.id from reminders r
  join organization_settings o on o.organization_id = r.organization_id and not o.deactivated
  where not r.failed and r.delivery_at <= $1 order by r.delivery_at, r.id limit ${MAX_DUE_REMINDERS}`

export async function reminderById(db: Db, organizationId: number, id: number): Promise<StoredReminder | undefined> {
  const [row] = await db.rows<StoredReminder>('reminder', REMINDER_BY_ID, [organizationId, id])
  return row
}

export async function dueReminders(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('due_reminders', DUE_REMINDERS, [now])
}

export function presentReminder(stored: StoredReminder): Reminder {
  return {
    reminder_id: stored.id,
    type: 'private',
    to: [stored.userId],
    content: stored.content,
    rendered_content: stored.renderedContent,
    scheduled_delivery_timestamp: stored.deliveryAt,
    failed: stored.failed,
    reminder_target_message_id: stored.messageId,
  }
}

async function remindersOf(db: Db, organizationId: number, userId: number): Promise<StoredReminder[]> {
  return db.rows('reminders', REMINDERS_OF_USER, [organizationId, userId])
}

export async function getReminders(reader: Reader): Promise<Output<typeof contract.getReminders>> {
  const { db, organizationId, actor } = reader
  const stored = await remindersOf(db, organizationId, actor.userId)
  return { reminders: stored.map(presentReminder) }
}

export async function remindersSnapshot(db: Db, { organization, userId }: Viewer): Promise<Record<string, unknown>> {
  const stored = await remindersOf(db, organization.id, userId)
  return { reminders: stored.map((one) => toListedReminder(presentReminder(one))) }
}

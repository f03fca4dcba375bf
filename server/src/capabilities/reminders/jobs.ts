import { ApiError } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { postFromBot, postMessages } from '../messages/actions/post.ts'
import { prepareContent, type PreparedContent } from '../messages/actions/prepare.ts'
import { userById } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { markReminderFailed, REMINDER_DESTINATION, removeReminder } from './actions.ts'
import { dueReminders, reminderById, type StoredReminder } from './queries.ts'

export const sendReminders: Job = {
  name: 'sendReminders',
  everySeconds: 1,
  due: dueReminders,
  run: sendIfDue,
  giveUp: async ({ log }, id) =>
    log.write(async (tx) => {
      const due = await findDueReminder(tx, id)
      if (due !== undefined) await markReminderFailed(tx, due)
    }),
}

async function sendIfDue({ log, reads, server }: JobContext, id: number): Promise<void> {
  const read = await reminderById(reads, log.organization.id, id)
  if (read === undefined) return
  const { id: userId, role } = knownUser(log.organization, read.userId)
  const renderContext = { organization: log.organization, db: reads, server }
  // The text is rendered again, because channels may have been renamed or hidden from the user.
  const prepared = await prepareContent(renderContext, { userId, role }, REMINDER_DESTINATION, read.content).catch(
    requireApiError,
  )
  await log.write(async (tx) => {
    const due = await findDueReminder(tx, id)
    if (due === undefined) return
    if (prepared instanceof ApiError || userById(tx.organization, userId)?.isActive !== true)
      await markReminderFailed(tx, due)
    else await sendReminder(tx, due, prepared)
  })
}

async function findDueReminder(tx: Tx, id: number): Promise<StoredReminder | undefined> {
  const stored = await reminderById(tx.db, tx.organizationId, id)
  return stored !== undefined && !stored.failed && stored.deliveryAt <= tx.now ? stored : undefined
}

async function sendReminder(tx: Tx, due: StoredReminder, prepared: PreparedContent): Promise<void> {
  await postMessages(tx, [postFromBot(tx.organization, due, prepared)])
  await removeReminder(tx, due)
}

function requireApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import type { Member } from '../groups/rules.ts'
import { fenceText, postFromBot, postMessages, silentMentionOf } from '../messages/actions/post.ts'
import { prepareContent, type PreparedContent } from '../messages/actions/prepare.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../messages/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { canSeeUser } from '../users/rules/visibility.ts'
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
  const member = { userId, role }
  const target = (await messagesById(reads, log.organization.id, [read.messageId])).get(read.messageId)
  const mayQuote = (organization: OrganizationState): boolean =>
    target !== undefined && mayReadMessage(organization, member, target)
  const quote = target !== undefined && mayQuote(log.organization) ? quoteMessage(log.organization, member, target) : ''
  const renderContext = { organization: log.organization, db: reads, server }
  // The text is rendered again, because channels may have been renamed or hidden from the user.
  const text = read.content + quote
  const prepared = await prepareContent(renderContext, member, REMINDER_DESTINATION, text).catch(requireApiError)
  await log.write(async (tx) => {
    const due = await findDueReminder(tx, id)
    if (due === undefined) return
    // Stays due, and will be sent without the quote.
    if (quote !== '' && !mayQuote(tx.organization)) return
    if (prepared instanceof ApiError || userById(tx.organization, userId)?.isActive !== true)
      await markReminderFailed(tx, due)
    else await sendReminder(tx, due, prepared)
  })
}

const MAX_QUOTED_CHARACTERS = 500

/** Quotes the beginning of the message as it is now. */
function quoteMessage(organization: OrganizationState, member: Member, { senderId, content }: StoredMessage): string {
  const author = userById(organization, senderId)
  const isNamed = author !== undefined && canSeeUser(organization, member, author)
  const characters = [...content]
  const cut = characters.length > MAX_QUOTED_CHARACTERS ? '…' : ''
  const quote = fenceText(characters.slice(0, MAX_QUOTED_CHARACTERS).join('') + cut, 'quote')
  return `\n\n${isNamed ? `${silentMentionOf(organization, author.id)}:\n` : ''}${quote}`
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

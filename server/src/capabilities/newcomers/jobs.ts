import { isBlank } from '../../kernel/characters.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { dueNewcomers, newcomerById } from '../users/queries/accounts.ts'
import { prepareContent, type PreparedContent } from '../messages/actions/prepare.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { greetNewcomer, WELCOME_DESTINATION } from './actions.ts'

/** Welcomes new people within a second, whichever process created their accounts. */
export const greetNewcomers: Job = {
  name: 'greetNewcomers',
  everySeconds: 1,
  due: dueNewcomers,
  async run(context, userId) {
    await context.log.follower.catchUp()
    const welcome = await prepareWelcome(context, userId)
    await context.log.write(async (tx) => greetNewcomer(tx, context.server, userId, welcome))
  },
}

/** Returns undefined if the welcome message is blank or cannot be sent. */
async function prepareWelcome(
  { log, reads, server }: JobContext,
  userId: number,
): Promise<PreparedContent | undefined> {
  const newcomer = await newcomerById(reads, log.organization.id, userId)
  const text = newcomer?.welcomeText ?? settingOf(log.organization, 'welcome_message_custom_text')
  if (isBlank(text)) return undefined
  const { id, role } = knownUser(log.organization, userId)
  const renderContext = { organization: log.organization, db: reads, server }
  try {
    return await prepareContent(renderContext, { userId: id, role }, WELCOME_DESTINATION, text)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

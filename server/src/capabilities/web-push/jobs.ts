import { hash } from 'node:crypto'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { htmlToText } from '../../platform/html/text.ts'
import { textAfterName } from '../../platform/markdown/me-message.ts'
import {
  REQUEST_TIMEOUT_SECONDS,
  isTemporaryStatus,
  OutsideFailure,
  personKey,
  type OutsideResponse,
} from '../../platform/outside/request.ts'
import type { UserRow } from '../users/queries/index.ts'
import { timeFormatOf } from '../users/queries/settings.ts'
import { beginPush, deletePush, recordPushResult, type StartedPush, type PushResult } from './actions/pushes.ts'
import { deletePushSubscription } from './actions/subscriptions.ts'
import { duePushes, CONCURRENCY_LIMITS } from './queries.ts'
import { encryptPush, vapidHeader } from './rules/cryptography.ts'
import { serializePayload, languageOf, MAX_CONTENT_CHARACTERS, messagePush, type PushPayload } from './rules/payload.ts'

export const RETRY_DELAYS_SECONDS = [5, 60, 600] as const
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1
const MAX_RETRY_DELAY_SECONDS = 3_600
const TIME_TO_LIVE_SECONDS = 86_400
/** A small limit is enough, because only the status of a response matters. */
const MAX_ANSWER_BYTES = 64 * 1024

const GONE_STATUS_CODES = [404, 410]

/** Sends at least once: if a server dies, another server repeats its push. The device shows a message once. */
export const sendPushes: Job = {
  name: 'sendPushes',
  everySeconds: 1,
  concurrency: CONCURRENCY_LIMITS,
  due: duePushes,
  async run(context, id) {
    const { log } = context
    const begun = await log.write(async (tx) => beginPush(tx, id))
    if (begun === undefined) return
    const ended = await sendPush(context, begun)
    await log.write(async (tx) =>
      ended === 'gone' ? deletePushSubscription(tx, begun.push.subscriptionId) : recordPushResult(tx, begun, ended),
    )
  },
  giveUp: async ({ log }, id) => log.write(async (tx) => deletePush(tx, id)),
}

async function sendPush({ log, server }: JobContext, begun: StartedPush): Promise<PushResult | 'gone'> {
  const { endpoint, keys, attempts } = begun.push
  const payload = serializePayload(createPayload(log.organization, begun))
  const now = Math.floor(Date.now() / 1000)
  try {
    const response = await server.outside.request({
      url: endpoint,
      method: 'POST',
      headers: {
        authorization: vapidHeader(endpoint, begun.serverKeys, server.urlOf(log.organization), now),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(TIME_TO_LIVE_SECONDS),
        urgency: begun.content.kind === 'withdrawal' ? 'normal' : 'high',
        topic: topicHeader(begun),
      },
      body: encryptPush(payload, keys),
      person: personKey(log.organization.id, begun.user.id),
      mostSeconds: REQUEST_TIMEOUT_SECONDS,
      mostBytes: MAX_ANSWER_BYTES,
    })
    return pushOutcome(response, attempts)
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error
    // This server is stopping, so another server retries. The push may have arrived.
    if (error.reason === 'closing') return { kind: 'again', seconds: 0 }
    return error.isPassing ? retryOrFail(error.message, attempts) : { kind: 'failed', reason: error.message }
  }
}

function pushOutcome({ status, headers }: OutsideResponse, attempts: number): PushResult | 'gone' {
  const reason = `the push service answered with the status ${status}`
  if (status >= 200 && status < 300) return { kind: 'arrived' }
  if (GONE_STATUS_CODES.includes(status)) return 'gone'
  if (!isTemporaryStatus(status)) return { kind: 'failed', reason }
  const asked = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0
  return retryOrFail(reason, attempts, Math.min(asked, MAX_RETRY_DELAY_SECONDS))
}

function retryOrFail(reason: string, attempts: number, leastSeconds = 0): PushResult {
  const pause = RETRY_DELAYS_SECONDS[attempts - 1]
  if (pause === undefined) return { kind: 'failed', reason }
  return { kind: 'again', seconds: Math.max(pause, leastSeconds) }
}

function createPayload(organization: OrganizationState, { content, user }: StartedPush): PushPayload {
  switch (content.kind) {
    case 'test':
      return { type: 'test', language: languageOf(user) }
    case 'withdrawal':
      return { type: 'withdrawal', message_id: content.messageId }
    case 'message':
      return messagePush(
        organization,
        user,
        content.message,
        content.showsContent ? pushedText(organization, content, user) : undefined,
      )
  }
}

function pushedText(
  organization: OrganizationState,
  { message }: Extract<StartedPush['content'], { kind: 'message' }>,
  user: UserRow,
): string | undefined {
  const html = textAfterName(message.content, message.renderedContent)
  // A message with only a picture has no text.
  return htmlToText(html, MAX_CONTENT_CHARACTERS, timeFormatOf(organization, user)) || undefined
}

const MAX_TOPIC_CHARACTERS = 32

/** Returns the `Topic` header, equal for all pushes of a conversation: a new push replaces undelivered pushes. */
function topicHeader({ push: { subscriptionId, topicId } }: StartedPush): string {
  return hash('sha256', `${subscriptionId} ${topicId}`, 'base64url').slice(0, MAX_TOPIC_CHARACTERS)
}

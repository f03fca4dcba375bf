import { createHash } from 'node:crypto'
import type { Input } from '../../../../kernel/endpoint.ts'
import type { Call } from '../../../../platform/request.ts'
import type * as contract from '../../contract/index.ts'

export interface SendKey {
  readonly name: string
  /** Digest of the request, because reusing the name for another request is a client error. */
  readonly requestDigest: string
}

/**
 * Hashes the literal request, because a channel may be renamed before the retry. Omits the queue, local ID, and
 * `read_by_sender`, which a client that lost its queue changes.
 */
export function sendKeyOf({
  idempotency_key: name,
  type,
  to,
  topic,
  content,
  widget_content,
}: Input<typeof contract.sendMessage>): SendKey | null {
  if (name === undefined) return null
  const request = JSON.stringify([type, to, topic ?? null, content, widget_content ?? null])
  return { name, requestDigest: createHash('sha256').update(request).digest('base64') }
}

const FIRST_SENT = `
  select message_id as id from send_keys
  where organization_id = $1 and user_id = $2 and key = $3 and request_digest = $4`

export async function firstSentWith({ log, actor }: Call, key: SendKey): Promise<number | undefined> {
  const values = [log.organization.id, actor.userId, key.name, key.requestDigest]
  const [first] = await log.lookups.rows<{ id: number }>('first_sent', FIRST_SENT, values)
  return first?.id
}

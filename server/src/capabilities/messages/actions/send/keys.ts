import { createHash } from 'node:crypto'
import type { Input } from '../../../../kernel/endpoint.ts'
import type { Call } from '../../../../platform/request.ts'
import type * as contract from '../../contract/index.ts'

/** The name that a client gave to a send, by which a retry is known again. */
export interface SendKey {
  readonly name: string
  /** Of what was asked to be sent: the same name for something else is a fault of the client. */
  readonly requestDigest: string
}

/**
 * The key of a request to send; null where the client named none. The digest is of the words of the request and not of what
 * they mean at the time: a channel may have another name when the retry comes. The queue, its local id and whether the
 * sender has read the message are left out, since a client that lost its queue names the next one.
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

/** The id of the message that the actor sent with the same key and request before; undefined where there is none. */
export async function firstSentWith({ log, actor }: Call, key: SendKey): Promise<number | undefined> {
  const values = [log.organization.id, actor.userId, key.name, key.requestDigest]
  const [first] = await log.lookups.rows<{ id: number }>('first_sent', FIRST_SENT, values)
  return first?.id
}

import { sql } from 'kysely'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { SharedActorTx } from '../../../kernel/transaction.ts'
import type { Call } from '../../../platform/request.ts'
import {
  SUBMESSAGE_BYTES_LIMIT,
  SUBMESSAGE_LIMIT,
  submessageAdded,
  widget,
  type sendSubmessage as contract,
} from '../contract/index.ts'
import { reviewedTextError } from '../../held-messages/actions/hold.ts'
import { addsReviewedText, isReviewedAuthor, textsInJson } from '../../held-messages/rules.ts'
import { requireNoNewcomerLinks } from '../queries/newcomers.ts'
import {
  audienceIncludingActor,
  mayReadMessage,
  messageInvalidation,
  messagesById,
  requireWritableMessage,
} from '../queries/index.ts'

type SubmessageInput = Input<typeof contract>

/** Shares a transaction with other requests, because many people can vote at once. */
export async function sendSubmessage(call: Call, input: SubmessageInput): Promise<Record<string, never>> {
  if (parseJson(input.content) === undefined) throw new ApiError('BAD_REQUEST', 'Invalid json for submessage')
  const { organization, lookups } = call.log
  await requireNoNewcomerLinks({ organization, db: lookups }, call.actor, textsInJson(input.content))
  if (isReviewedAuthor(organization, call.actor)) {
    const message = (await messagesById(lookups, organization.id, [input.message_id])).get(input.message_id)
    // Hidden messages must reveal nothing, and `addSubmessage` refuses them.
    if (message !== undefined && mayReadMessage(organization, call.actor, message)) {
      const reviewed = { channelId: message.channelId, texts: textsInJson(input.content) }
      const found = addsReviewedText(organization, call.actor, reviewed, [])
      if (found !== false && (await found)) throw reviewedTextError()
    }
  }
  // Submessages of one message conflict: together they could exceed its limit.
  const subject = { kind: 'submessage', of: [`message ${input.message_id}`] }
  return call.log.actInSharedTransaction(call.actor, subject, (tx) => addSubmessage(tx, input))
}

async function addSubmessage(
  tx: SharedActorTx,
  { message_id, msg_type, content }: SubmessageInput,
): Promise<Record<string, never>> {
  const message = await requireWritableMessage(tx, message_id)
  const { count, bytes } = await tx.db
    .selectFrom('submessages')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(octet_length(to_json(content)::text)), 0)`.as('bytes'),
    ])
    .where('organization_id', '=', tx.organizationId)
    .where('message_id', '=', message.id)
    .executeTakeFirstOrThrow()
  // The first submessage makes a message a widget, so only its author can send it.
  if (count === 0 && message.senderId !== tx.actor.userId) {
    throw new ApiError('BAD_REQUEST', 'You cannot attach a submessage to this message.')
  }
  if (count >= SUBMESSAGE_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A message can have at most ${SUBMESSAGE_LIMIT.most} submessages.`)
  }
  if (bytes + Buffer.byteLength(JSON.stringify(content)) > SUBMESSAGE_BYTES_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A message can have at most ${SUBMESSAGE_BYTES_LIMIT.most} bytes of submessages.`)
  }
  tx.invalidate(messageInvalidation, { message: message.id })
  const id = tx.emitStored(submessageAdded, {}, audienceIncludingActor(tx, message))
  await tx.db
    .insertInto('submessages')
    .values({
      organization_id: tx.organizationId,
      id,
      message_id: message.id,
      sender_id: tx.actor.userId,
      msg_type,
      content,
    })
    .execute()
  return {}
}

export function validateWidget(given: string | undefined): string | null {
  if (given === undefined) return null
  if (!widget.safeParse(parseJson(given)).success) throw new ApiError('BAD_REQUEST', 'Invalid widget content')
  return given
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

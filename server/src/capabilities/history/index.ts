import type { Input, Output } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { capability, query } from '../../platform/capability.ts'
import { editsOf } from '../message-edits/queries.ts'
import { presentPast } from '../message-edits/queries/past.ts'
import { mayRead, presentMessage, withTopicLinks, type MessageForm } from '../messages/queries.ts'
import { reactionsOf } from '../reactions/queries.ts'
import { resolveNarrow } from '../narrow/rules.ts'
import { getMessage, getMessages, MAX_MESSAGES_PER_FETCH } from './contract.ts'
import { filterOf, firstUnread, flagsOf, idsAmong, idsBeside, readMessages, type ReadMessage } from './queries.ts'

/** History: reading messages, with everything that belongs to them. */
export const history = capability({
  name: 'history',
  tables: [],
  routes: [query(getMessages, listMessages), query(getMessage, showMessage)],
})

async function listMessages(reader: Reader, input: Input<typeof getMessages>): Promise<Output<typeof getMessages>> {
  const filter = filterOf(reader, resolveNarrow(reader.world, reader.actor, input.narrow))
  const form = {
    applyMarkdown: input.apply_markdown,
    clientExternalAvatar: input.client_external_avatar,
    emptyTopicName: input.allow_empty_topic_name,
  }

  if (input.message_ids !== undefined) {
    const messages = await readMessages(reader, [...new Set(input.message_ids)])
    const readable = messages.filter((message) => mayRead(reader.world, reader.actor, message))
    const wanted =
      input.narrow.length === 0
        ? undefined
        : new Set(
            await idsAmong(
              reader,
              filter,
              readable.map(({ id }) => id),
            ),
          )
    const shown = readable.filter(({ id }) => wanted?.has(id) ?? true)
    return {
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
      messages: await present(reader, shown, form),
    }
  }

  const { before, after } = rangeOf(input)
  const anchor = await anchorOf(reader, input, filter)
  const [older, exact, newer] = await Promise.all([
    // One more than wanted tells whether there are more.
    idsBeside(reader, filter, 'before', anchor, before + 1),
    idsAmong(reader, filter, [anchor]),
    idsBeside(reader, filter, 'after', anchor, after + 1),
  ])
  const ids = [...older.slice(0, before), ...(input.include_anchor ? exact : []), ...newer.slice(0, after)]
  return {
    anchor,
    found_anchor: input.include_anchor && exact.length > 0,
    found_oldest: older.length <= before,
    found_newest: newer.length <= after,
    history_limited: false,
    messages: await present(reader, await readMessages(reader, ids), form),
  }
}

function rangeOf(input: Input<typeof getMessages>): { before: number; after: number } {
  for (const name of ['num_before', 'num_after'] as const) {
    if (input[name] === undefined) {
      throw new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
    }
  }
  const before = input.num_before ?? 0
  const after = input.num_after ?? 0
  if (before + after > MAX_MESSAGES_PER_FETCH) {
    throw new Refusal('BAD_REQUEST', `Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
  return { before, after }
}

/** The position to look around: of a message, or just beyond all of them. */
async function anchorOf(
  reader: Reader,
  input: Input<typeof getMessages>,
  filter: ReturnType<typeof filterOf>,
): Promise<number> {
  const anchor = input.use_first_unread_anchor ? 'first_unread' : input.anchor
  const beyond = reader.world.position + 1
  switch (anchor) {
    case undefined:
      throw new Refusal('REQUEST_VARIABLE_MISSING', "Missing 'anchor' argument", { var_name: 'anchor' })
    case 'newest':
      return beyond
    case 'oldest':
      return 0
    case 'first_unread':
      return (await firstUnread(reader, filter)) ?? beyond
    default:
      if (!/^\d+$/.test(anchor)) throw new Refusal('REQUEST_VARIABLE_INVALID', 'Invalid anchor')
      return Math.min(Number(anchor), beyond)
  }
}

async function showMessage(reader: Reader, input: Input<typeof getMessage>): Promise<Output<typeof getMessage>> {
  const [stored] = await readMessages(reader, [input.message_id])
  if (stored === undefined || !mayRead(reader.world, reader.actor, stored)) {
    throw new Refusal('BAD_REQUEST', 'Invalid message(s)')
  }
  const [message] = await present(reader, [stored], {
    applyMarkdown: input.apply_markdown,
    clientExternalAvatar: true,
    emptyTopicName: input.allow_empty_topic_name,
  })
  if (message === undefined) throw new Error('a message that was read is not shown')
  return { raw_content: stored.content, message }
}

/** Messages with all that belongs to them: one statement for each kind of thing, however many messages. */
async function present(
  reader: Reader,
  messages: readonly ReadMessage[],
  form: MessageForm,
): Promise<Output<typeof getMessages>['messages']> {
  const ids = messages.map(({ id }) => id)
  const [reactions, edits, linked] = await Promise.all([
    reactionsOf(reader.db, reader.organizationId, ids),
    editsOf(reader.db, reader.organizationId, ids),
    withTopicLinks(reader.world, messages),
  ])
  return linked.map((message) => ({
    ...presentMessage(reader.world, message, form, reactions.get(message.id)),
    ...presentPast(reader, message, edits.get(message.id) ?? [], form.emptyTopicName),
    flags: flagsOf(reader, message),
  }))
}

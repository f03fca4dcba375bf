import type { Output } from '../../../kernel/endpoint.ts'
import type { World } from '../../../kernel/fold.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { TopicLink } from '../../../platform/markdown/render.ts'
import { presentPast } from '../../message-edits/queries/past.ts'
import { presentMessage, type MessageForm } from '../../messages/queries.ts'
import { isSheltered } from '../../users/rules/sight.ts'
import type { getMessage } from '../contract.ts'
import { flagsOf, type ReadMessage } from '../queries.ts'
import { keptMessages, type KeptMessage } from './kept.ts'

type Presented = Output<typeof getMessage>['message']
type Links = ReadonlyMap<string, readonly TopicLink[]>

/** A message as the API shows it to the reader. */
export function presentKept(reader: Reader, found: ReadMessage, form: MessageForm, links: Links): Presented {
  return {
    ...presentCommon(reader, found.message, form),
    topic_links: [...linksOf(found, links)],
    flags: flagsOf(reader, found),
  }
}

/**
 * The same as JSON text, of which what is the same for other readers is made once.
 * @param added fields that this answer has beside them
 */
export function messageText(
  reader: Reader,
  found: ReadMessage,
  form: MessageForm,
  links: Links,
  added?: Readonly<Record<string, unknown>>,
): string {
  const { message } = found
  const make = (world: World): string => JSON.stringify(presentCommon({ ...reader, world }, message, form)).slice(0, -1)
  const common = isForAll(reader, message)
    ? keptMessages(reader.world).text(message, formKey(form), make)
    : make(reader.world)
  const own = `,"topic_links":${JSON.stringify(linksOf(found, links))},"flags":${JSON.stringify(flagsOf(reader, found))}`
  return `${common}${own}${added === undefined ? '}' : `,${JSON.stringify(added).slice(1)}`}`
}

/** What depends on the message, the form and the folds, and on the reader only where it is not for all. */
function presentCommon(
  reader: Pick<Reader, 'world' | 'actor'>,
  { stored, reactions, submessages, edits }: KeptMessage,
  form: MessageForm,
): Omit<Presented, 'topic_links' | 'flags'> {
  const linked = { ...stored, topicLinks: [] }
  const { topic_links: _, ...shown } = presentMessage(reader.world, linked, form, reactions, submessages)
  return Object.assign(shown, presentPast(reader, stored, edits, form.emptyTopicName))
}

/** Whether all readers of the form are shown the same: who sees everybody, and what was never in another channel. */
function isForAll({ world, actor }: Reader, { edits }: KeptMessage): boolean {
  return !isSheltered(world, actor) && edits.every((edit) => edit.prev_channel_id === null)
}

function formKey({ applyMarkdown, clientExternalAvatar, emptyTopicName }: MessageForm): string {
  return [applyMarkdown, clientExternalAvatar, emptyTopicName].map(Number).join('')
}

function linksOf({ message }: ReadMessage, links: Links): readonly TopicLink[] {
  return links.get(message.stored.topic) ?? []
}

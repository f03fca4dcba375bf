import type { Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { TopicLink } from '../../../platform/markdown/renderer.ts'
import { presentEditHistory } from '../../message-edits/queries/past.ts'
import { presentMessage, type MessageForm } from '../../messages/queries/index.ts'
import { isLimitedGuest } from '../../users/rules/visibility.ts'
import type { getMessage } from '../contract/index.ts'
import { flagsOf, type ReadMessage } from './index.ts'
import { cachedMessages, type CachedMessage } from './message-cache.ts'

type MessageResponse = Output<typeof getMessage>['message']
type LinksByTopic = ReadonlyMap<string, readonly TopicLink[]>

export function presentCachedMessage(
  reader: Reader,
  found: ReadMessage,
  form: MessageForm,
  links: LinksByTopic,
): MessageResponse {
  return {
    ...presentCommonFields(reader, found.message, form),
    topic_links: [...linksOf(found, links)],
    flags: flagsOf(reader, found),
  }
}

/** Serializes messages; readers share parts of the JSON. `added`: fields that only this response contains. */
export function messageTexts(
  reader: Reader,
  form: MessageForm,
  links: LinksByTopic,
): (found: ReadMessage, added?: Readonly<Record<string, unknown>>) => string {
  const kept = cachedMessages(reader.organization)
  const key = formKey(form)
  const seesEverybody = !isLimitedGuest(reader.organization, reader.actor)
  return (found, added) => {
    const { message } = found
    const make = (organization: OrganizationState): string =>
      JSON.stringify(presentCommonFields({ ...reader, organization }, message, form)).slice(0, -1)
    const common =
      seesEverybody && isSameForAllReaders(message) ? kept.text(message, key, make) : make(reader.organization)
    const shownLinks = linksOf(found, links)
    const flags = flagsOf(reader, found).join('","')
    const own = `,"topic_links":${shownLinks.length === 0 ? '[]' : JSON.stringify(shownLinks)},"flags":${flags === '' ? '[]' : `["${flags}"]`}`
    return `${common}${own}${added === undefined ? '}' : `,${JSON.stringify(added).slice(1)}`}`
  }
}

/** The result depends on the reader only if `isSameForAllReaders` is false. */
function presentCommonFields(
  reader: Pick<Reader, 'organization' | 'actor'>,
  { stored, reactions, submessages, edits }: CachedMessage,
  form: MessageForm,
): Omit<MessageResponse, 'topic_links' | 'flags'> {
  const shown = presentMessage(reader.organization, stored, form, reactions, submessages)
  return edits.length === 0
    ? shown
    : Object.assign(shown, presentEditHistory(reader, stored, edits, form.emptyTopicName))
}

/** Whether all readers who see all users get the same fields: true unless the message was ever in another channel. */
function isSameForAllReaders({ edits }: CachedMessage): boolean {
  return edits.every((edit) => edit.prev_channel_id === null)
}

function formKey({ applyMarkdown, clientExternalAvatar, emptyTopicName }: MessageForm): string {
  return [applyMarkdown, clientExternalAvatar, emptyTopicName].map(Number).join('')
}

function linksOf({ message }: ReadMessage, links: LinksByTopic): readonly TopicLink[] {
  return links.get(message.stored.topic) ?? []
}

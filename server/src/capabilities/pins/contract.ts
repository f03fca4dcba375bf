import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, composedText, idInRequest, id, ids, integer, nothing, string, text } from '../../kernel/schemas.ts'

export const MAX_LINK_TITLE_CHARACTERS = 100
export const MAX_LINK_URL_CHARACTERS = 2_000
export const PIN_LIMIT: Limit = { most: 100, per: 'channel', what: 'pinned messages, including those in topics' }
export const LINK_LIMIT: Limit = { most: 50, per: 'channel', what: 'links in the channel header' }

export const pinScope = z.enum(['channel', 'topic'])
export type PinScope = z.output<typeof pinScope>

export const pin = z.strictObject({
  message_id: id,
  /** Clients show the pin everywhere in the message's channel, or only in its topic. */
  scope: pinScope,
  /** The message's topic, for both scopes. */
  topic: string,
  pinned_by: id,
  /** UNIX seconds. */
  pinned_at: integer,
})
export type Pin = z.output<typeof pin>

export const link = z.strictObject({
  link_id: id,
  title: string,
  /** `http`, `https`, or `mailto` URL; or, within the organization, a path (`/…`) or fragment (`#…`). */
  url: string,
  created_by: id,
  /** UNIX seconds. */
  created_at: integer,
})
export type Link = z.output<typeof link>

const channelPins = z.strictObject({
  /** Pinned messages that the user can read, by `pinned_at` and then `message_id`, newest first. */
  pins: z.array(pin),
  links: z.array(link),
})
export type ChannelPins = z.output<typeof channelPins>

const linkTitle = composedText(MAX_LINK_TITLE_CHARACTERS)
const linkUrl = text(MAX_LINK_URL_CHARACTERS).check(z.meta({ examples: ['/#recent'] }))

export const getChannelPins = endpoint({
  id: 'getChannelPins',
  method: 'GET',
  path: '/streams/:stream_id/pins',
  summary: "List a channel's pinned messages and links.",
  description:
    'Clients with the capability `channel_pins` get `channel_pins` events for changes. They load the list again when ' +
    'they can read more or less of the channel.',
  since: 420,
  forTokens: 'reading',
  input: z.object({
    stream_id: idInRequest,
    allow_empty_topic_name: z._default(boolean, false),
  }),
  output: channelPins,
  errors: ['BAD_REQUEST'],
})

export const pinMessage = endpoint({
  id: 'pinMessage',
  method: 'POST',
  path: '/streams/:stream_id/pins',
  summary: 'Pin a message to its channel or topic.',
  description:
    'Pinning a pinned message again changes its scope. Requires the permission `can_pin_messages_group` and permission ' +
    'to post in the channel, or permission to administer the channel.',
  since: 420,
  forTokens: 'writing',
  input: z.object({ stream_id: idInRequest, message_id: idInRequest, scope: pinScope }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const unpinMessage = endpoint({
  id: 'unpinMessage',
  method: 'DELETE',
  path: '/streams/:stream_id/pins/:message_id',
  summary: 'Unpin a message.',
  since: 420,
  forTokens: 'writing',
  input: z.object({ stream_id: idInRequest, message_id: idInRequest }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const createChannelLink = endpoint({
  id: 'createChannelLink',
  method: 'POST',
  path: '/streams/:stream_id/links',
  summary: 'Add a link to a channel.',
  description:
    'The URL is an `http`, `https`, or `mailto` URL or, within the organization, starts with `/` or `#`. Requires the ' +
    'same permissions as pinning a message.',
  since: 420,
  forTokens: 'writing',
  input: z.object({ stream_id: idInRequest, title: linkTitle, url: linkUrl }),
  output: z.object({ link_id: id }),
  errors: ['BAD_REQUEST'],
})

export const updateChannelLink = endpoint({
  id: 'updateChannelLink',
  method: 'PATCH',
  path: '/streams/:stream_id/links/:link_id',
  summary: "Update a channel's link.",
  since: 420,
  forTokens: 'writing',
  input: z.object({
    stream_id: idInRequest,
    link_id: idInRequest,
    title: z.optional(linkTitle),
    url: z.optional(linkUrl),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteChannelLink = endpoint({
  id: 'deleteChannelLink',
  method: 'DELETE',
  path: '/streams/:stream_id/links/:link_id',
  summary: 'Remove a link from a channel.',
  since: 420,
  forTokens: 'writing',
  input: z.object({ stream_id: idInRequest, link_id: idInRequest }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const reorderChannelLinks = endpoint({
  id: 'reorderChannelLinks',
  method: 'PATCH',
  path: '/streams/:stream_id/links',
  summary: "Reorder all of a channel's links.",
  since: 420,
  forTokens: 'writing',
  input: z.object({ stream_id: idInRequest, order: z.array(id).check(z.maxLength(LINK_LIMIT.most)) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/* Events are sent only to clients with the capability `channel_pins`. */

declare module '../../kernel/event.ts' {
  interface StateFields {
    /** Responses of `getChannelPins` by channel ID: clients add the response for each channel that they show. */
    channel_pins: Record<string, ChannelPins>
  }
}

function pinsIn(state: ClientState, streamId: number): ChannelPins | undefined {
  return state['channel_pins']?.[streamId]
}

export const pinAdded = event({
  type: 'channel_pins',
  op: 'add',
  summary: 'A message that the user can read was pinned, or its pin changed or moved here with the message.',
  payload: z.strictObject({ stream_id: id, pin }),
  touches: ['channel_pins'],
  apply(state, { stream_id, pin: added }) {
    const known = pinsIn(state, stream_id)
    if (known === undefined) return
    const others = known.pins.filter(({ message_id }) => message_id !== added.message_id)
    known.pins = [...others, added].toSorted((a, b) => b.pinned_at - a.pinned_at || b.message_id - a.message_id)
  },
})

export const pinRemoved = event({
  type: 'channel_pins',
  op: 'remove',
  summary: 'A message was unpinned, moved to another channel, or deleted.',
  payload: z.strictObject({ stream_id: id, message_id: id }),
  touches: ['channel_pins'],
  apply(state, { stream_id, message_id }) {
    const known = pinsIn(state, stream_id)
    if (known !== undefined) known.pins = known.pins.filter((one) => one.message_id !== message_id)
  },
})

export const linkAdded = event({
  type: 'channel_pins',
  op: 'add_link',
  summary: 'A link was added to a channel, as its last one.',
  payload: z.strictObject({ stream_id: id, link }),
  touches: ['channel_pins'],
  apply(state, { stream_id, link: added }) {
    const links = pinsIn(state, stream_id)?.links
    if (links?.some(({ link_id }) => link_id === added.link_id) === false) links.push(added)
  },
})

export const linkUpdated = event({
  type: 'channel_pins',
  op: 'update_link',
  summary: "A channel's link was updated.",
  payload: z.strictObject({ stream_id: id, link }),
  touches: ['channel_pins'],
  apply(state, { stream_id, link: updated }) {
    const known = pinsIn(state, stream_id)?.links.find(({ link_id }) => link_id === updated.link_id)
    if (known !== undefined) Object.assign(known, updated)
  },
})

export const linkRemoved = event({
  type: 'channel_pins',
  op: 'remove_link',
  summary: 'A link was removed from a channel.',
  payload: z.strictObject({ stream_id: id, link_id: id }),
  touches: ['channel_pins'],
  apply(state, { stream_id, link_id }) {
    const known = pinsIn(state, stream_id)
    if (known !== undefined) known.links = known.links.filter((one) => one.link_id !== link_id)
  },
})

export const linksReordered = event({
  type: 'channel_pins',
  op: 'reorder_links',
  summary: "A channel's links were reordered.",
  payload: z.strictObject({ stream_id: id, order: ids }),
  touches: ['channel_pins'],
  apply(state, { stream_id, order }) {
    // `>>> 0` turns -1 into a large number, so links that are missing from an older order stay last.
    const placeOf = ({ link_id }: Link): number => order.indexOf(link_id) >>> 0
    pinsIn(state, stream_id)?.links.sort((a, b) => placeOf(a) - placeOf(b))
  },
})

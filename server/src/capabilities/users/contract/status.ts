import * as z from 'zod/mini'
import { event } from '../../../kernel/event.ts'
import { id } from '../../../kernel/parameters.ts'

/** The namespaces of emoji codes: hex code points joined by dashes, ids of custom emoji, names of the server's own. */
export const EMOJI_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const

/** What somebody is about, without what is empty. */
export const status = z.strictObject({
  /** Only while the person's `presence_enabled` is off: what older clients know of that setting. */
  away: z.optional(z.boolean()),
  status_text: z.optional(z.string()),
  emoji_name: z.optional(z.string()),
  emoji_code: z.optional(z.string()),
  reaction_type: z.optional(z.enum(EMOJI_TYPES)),
})
export type Status = z.output<typeof status>

export const userStatusChanged = event({
  type: 'user_status',
  summary:
    'A user is about something else, or the receiver may know now what somebody is about, or no longer. What did not ' +
    'change is left out, and what is empty is none any more.',
  payload: z.extend(status, { user_id: id }),
  apply(state, { user_id, ...changed }) {
    if (state['user_status'] === undefined) return
    // Put there by the register response, whose shape is this capability's own.
    const all = state['user_status'] as Record<string, Status>
    const { [String(user_id)]: before = {}, ...others } = all
    const after = withoutEmpty({ ...before, ...changed })
    state['user_status'] = Object.keys(after).length === 0 ? others : { ...others, [String(user_id)]: after }
  },
})

/** A status without what is empty or not so; an emoji is its name, code and type. */
export function withoutEmpty({ away, status_text, ...emoji }: Status): Status {
  return {
    ...(away === true ? { away } : {}),
    ...(status_text === undefined || status_text === '' ? {} : { status_text }),
    ...(emoji.emoji_name === undefined || emoji.emoji_name === '' ? {} : emoji),
  }
}

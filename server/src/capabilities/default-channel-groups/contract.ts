import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { composedText, id, ids, nothing, string, text } from '../../kernel/schemas.ts'
import { LIMITS } from '../organizations/contract/index.ts'

export const GROUP_LIMIT: Limit = { most: 100, per: 'organization', what: 'default channel groups' }
export const GROUPED_CHANNEL_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'channels in default channel groups, counted once per group',
}

export const MAX_GROUP_NAME_LENGTH = 60
export const MAX_GROUP_DESCRIPTION_LENGTH = 1_024

const groupName = composedText(MAX_GROUP_NAME_LENGTH)
const groupDescription = text(MAX_GROUP_DESCRIPTION_LENGTH)
const streamNames = z.array(composedText(LIMITS.max_stream_name_length)).check(z.maxLength(GROUPED_CHANNEL_LIMIT.most))

export const defaultChannelGroup = z.strictObject({ name: string, description: string, id, streams: ids })
export type DefaultChannelGroup = z.output<typeof defaultChannelGroup>

export const createDefaultChannelGroup = endpoint({
  id: 'createDefaultChannelGroup',
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Create a default channel group.',
  since: 0,
  input: z.object({ group_name: groupName, description: groupDescription, stream_names: streamNames }),
  output: nothing,
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})

export const updateDefaultChannelGroup = endpoint({
  id: 'updateDefaultChannelGroup',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id',
  summary: 'Update the name or description of a default channel group.',
  since: 0,
  input: z.object({
    group_id: id,
    new_group_name: z.optional(groupName),
    new_description: z.optional(groupDescription),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteDefaultChannelGroup = endpoint({
  id: 'deleteDefaultChannelGroup',
  method: 'DELETE',
  path: '/default_stream_groups/:group_id',
  summary: 'Delete a default channel group. Its channels stay.',
  since: 0,
  input: z.object({ group_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateDefaultChannelGroupChannels = endpoint({
  id: 'updateDefaultChannelGroupChannels',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id/streams',
  summary: 'Add or remove channels of a default channel group.',
  since: 0,
  input: z.object({ group_id: id, op: z.enum(['add', 'remove']), stream_names: streamNames }),
  output: nothing,
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})

export const defaultChannelGroupsChanged = event({
  type: 'default_stream_groups',
  summary: 'The default channel groups changed. Contains all of them.',
  payload: z.strictObject({ default_stream_groups: z.array(defaultChannelGroup) }),
  touches: ['realm_default_stream_groups'],
  apply(state, { default_stream_groups }) {
    if (state['realm_default_stream_groups'] !== undefined) {
      state['realm_default_stream_groups'] = default_stream_groups
    }
  },
})

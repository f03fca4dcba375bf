import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, idInRequest, id, nothing } from '../../../kernel/schemas.ts'
import { groupSettingUpdate } from '../../groups/contract/index.ts'
import {
  channelDescription,
  channelName,
  channelSettings,
  permissionFields,
  retentionDays,
  TOPICS_POLICIES,
} from './records.ts'

export const createChannel = endpoint({
  id: 'createChannel',
  method: 'POST',
  path: '/channels/create',
  summary: 'Create a channel.',
  since: 417,
  input: z.object({
    name: channelName,
    description: z.optional(channelDescription),
    subscribers: z.array(idInRequest),
    ...channelSettings,
    folder_id: z.optional(z.nullable(id)),
  }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST', 'CHANNEL_ALREADY_EXISTS'],
})

export const updateChannel = endpoint({
  id: 'updateChannel',
  method: 'PATCH',
  path: '/streams/:stream_id',
  summary: 'Update or unarchive a channel.',
  description:
    'Only owners can set `message_retention_days`. In a private channel, adding subscribers gives access to its ' +
    'messages, so only users who can read the channel can change `can_add_subscribers_group`.',
  since: 0,
  input: z.object({
    stream_id: id,
    description: z.optional(channelDescription),
    new_name: z.optional(channelName),
    is_private: z.optional(boolean),
    is_web_public: z.optional(boolean),
    history_public_to_subscribers: z.optional(boolean),
    is_default_stream: z.optional(boolean),
    message_retention_days: z.optional(retentionDays),
    /** Either value unarchives the channel; `DELETE` archives it. */
    is_archived: z.optional(boolean),
    /** Null removes the channel from its folder. */
    folder_id: z.optional(z.nullable(id)),
    topics_policy: z.optional(z.enum(TOPICS_POLICIES)),
    ...permissionFields(z.optional(groupSettingUpdate)),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL', 'EXPECTATION_MISMATCH'],
})

export const archiveChannel = endpoint({
  id: 'archiveChannel',
  method: 'DELETE',
  path: '/streams/:stream_id',
  summary: 'Archive a channel.',
  since: 0,
  input: z.object({ stream_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL'],
})

export const addDefaultChannel = endpoint({
  id: 'addDefaultChannel',
  method: 'POST',
  path: '/default_streams',
  summary: 'Add a default channel for new users.',
  since: 0,
  input: z.object({ stream_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeDefaultChannel = endpoint({
  id: 'removeDefaultChannel',
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Remove a default channel for new users.',
  since: 0,
  input: z.object({ stream_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

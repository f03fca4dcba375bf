import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, composedText, id, ids, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { LIMITS } from '../organizations/contract/index.ts'

export const FOLDER_LIMIT: Limit = { most: 500, per: 'organization', what: 'channel folders, including archived ones' }

const folderName = composedText(LIMITS.max_channel_folder_name_length)
const folderDescription = text(LIMITS.max_channel_folder_description_length)

export const channelFolder = z.strictObject({
  id,
  name: string,
  description: string,
  rendered_description: string,
  order: z.int().check(z.minimum(0)),
  /** UNIX seconds. */
  date_created: z.nullable(integer),
  creator_id: z.nullable(id),
  is_archived: boolean,
})
export type ChannelFolder = z.output<typeof channelFolder>

export const getChannelFolders = endpoint({
  id: 'getChannelFolders',
  method: 'GET',
  path: '/channel_folders',
  summary: 'List channel folders in order.',
  since: 389,
  forTokens: 'reading',
  input: z.object({ include_archived: z._default(boolean, false) }),
  output: z.object({ channel_folders: z.array(channelFolder) }),
  errors: [],
})

export const createChannelFolder = endpoint({
  id: 'createChannelFolder',
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Create a channel folder.',
  since: 389,
  input: z.object({ name: folderName, description: folderDescription }),
  output: z.object({ channel_folder_id: id }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateChannelFolder = endpoint({
  id: 'updateChannelFolder',
  method: 'PATCH',
  path: '/channel_folders/:channel_folder_id',
  summary: 'Update, archive, or unarchive a channel folder.',
  since: 389,
  input: z.object({
    channel_folder_id: id,
    name: z.optional(folderName),
    description: z.optional(folderDescription),
    is_archived: z.optional(boolean),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const reorderChannelFolders = endpoint({
  id: 'reorderChannelFolders',
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Reorder all channel folders, including archived ones.',
  since: 414,
  input: z.object({ order: z.array(id).check(z.maxLength(FOLDER_LIMIT.most)) }),
  output: nothing,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    channel_folders: ChannelFolder[]
  }
}

function foldersIn(state: ClientState): ChannelFolder[] | undefined {
  return state['channel_folders']
}

export const channelFolderAdded = event({
  type: 'channel_folder',
  op: 'add',
  summary: 'A channel folder was created.',
  payload: z.strictObject({ channel_folder: channelFolder }),
  touches: ['channel_folders'],
  apply(state, { channel_folder }) {
    const folders = foldersIn(state)
    if (folders?.some((known) => known.id === channel_folder.id) === false) folders.push(channel_folder)
  },
})

export const channelFolderUpdated = event({
  type: 'channel_folder',
  op: 'update',
  summary: 'A channel folder was updated, archived, or unarchived.',
  payload: z.strictObject({
    channel_folder_id: id,
    data: z.strictObject({
      name: z.optional(string),
      description: z.optional(string),
      rendered_description: z.optional(string),
      is_archived: z.optional(boolean),
    }),
  }),
  touches: ['channel_folders'],
  apply(state, { channel_folder_id, data }) {
    const known = foldersIn(state)?.find((folder) => folder.id === channel_folder_id)
    if (known !== undefined) Object.assign(known, data)
  },
})

export const channelFoldersReordered = event({
  type: 'channel_folder',
  op: 'reorder',
  summary: 'The channel folders were reordered.',
  payload: z.strictObject({ order: ids }),
  touches: ['channel_folders'],
  apply(state, { order }) {
    const folders = foldersIn(state)
    for (const folder of folders ?? []) folder.order = order.indexOf(folder.id)
    folders?.sort((a, b) => a.order - b.order)
  },
})

import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, givenId, ids, nothing } from '../../kernel/schemas.ts'

/** Content that tools can access: nothing; channels that allow tools; or these and the caller's direct messages. */
export const TOOL_ACCESS = ['nothing', 'channels', 'everything'] as const
export type ToolAccess = (typeof TOOL_ACCESS)[number]
export const USUAL_TOOL_ACCESS: ToolAccess = 'channels'

const access = z.enum(TOOL_ACCESS)

export const getToolAccess = endpoint({
  id: 'getToolAccess',
  method: 'GET',
  path: '/tool_access',
  summary: 'Tell what tools, such as assistants that speak the Model Context Protocol, may see and use.',
  since: 420,
  input: nothing,
  output: z.object({
    access,
    /** Channels that allow tools, among those visible to the user. */
    stream_ids: ids,
  }),
  errors: [],
})

export const updateToolAccess = endpoint({
  id: 'updateToolAccess',
  method: 'PATCH',
  path: '/tool_access',
  summary: 'Choose what tools may see and use of the organization.',
  description: 'Only administrators may.',
  since: 420,
  input: z.object({ access }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateChannelToolAccess = endpoint({
  id: 'updateChannelToolAccess',
  method: 'PATCH',
  path: '/streams/:stream_id/tool_access',
  summary: 'Choose whether a channel lets tools in.',
  description:
    'Until that is chosen, public channels let them in and private ones do not. Those who may administer the channel choose.',
  since: 420,
  input: z.object({ stream_id: givenId, is_allowed: boolean }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL'],
})

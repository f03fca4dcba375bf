import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, givenId, ids, nothing } from '../../kernel/schemas.ts'

/**
 * What tools may see and use of an organization: nothing; the channels that let them in; or these and the direct
 * messages of the person who uses them.
 */
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
    /**
     * `nothing`; `channels`, those that let tools in; or `everything`, these and the direct messages of the person who uses a
     * tool.
     */
    access,
    /** Of the channels that the user may know of, those that let tools in. */
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

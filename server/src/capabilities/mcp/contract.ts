import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, idInRequest, ids, nothing } from '../../kernel/schemas.ts'

/** `channels`: channels that AI tools can access. `everything`: also the caller's direct messages. */
export const TOOL_ACCESS = ['nothing', 'channels', 'everything'] as const
export type ToolAccess = (typeof TOOL_ACCESS)[number]
export const DEFAULT_TOOL_ACCESS: ToolAccess = 'channels'

const toolAccess = z.enum(TOOL_ACCESS)

export const getToolAccess = endpoint({
  id: 'getToolAccess',
  method: 'GET',
  path: '/tool_access',
  summary: 'Get what Model Context Protocol tools can access.',
  since: 420,
  input: nothing,
  output: z.object({
    access: toolAccess,
    stream_ids: ids,
  }),
  errors: [],
})

export const updateToolAccess = endpoint({
  id: 'updateToolAccess',
  method: 'PATCH',
  path: '/tool_access',
  summary: 'Set what tools can access in the organization.',
  description: 'Administrators only.',
  since: 420,
  input: z.object({ access: toolAccess }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateChannelToolAccess = endpoint({
  id: 'updateChannelToolAccess',
  method: 'PATCH',
  path: '/streams/:stream_id/tool_access',
  summary: 'Set whether a channel allows tools.',
  description:
    'By default, public channels allow tools and private channels do not. Requires permission to administer the ' +
    'channel.',
  since: 420,
  input: z.object({ stream_id: idInRequest, is_allowed: boolean }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL'],
})

import type { Output } from '../../kernel/endpoint.ts'
import type { OrganizationState, Projection } from '../../kernel/projection.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { channelsProjection, type Channel } from '../channels/queries/index.ts'
import { canSeeChannel } from '../channels/rules/index.ts'
import type * as contract from './contract.ts'
import { DEFAULT_TOOL_ACCESS, type ToolAccess } from './contract.ts'

interface ToolAccessState {
  access: ToolAccess
  readonly channels: Map<number, boolean>
}

export type ToolAccessChange =
  { readonly access: ToolAccess } | { readonly channelId: number; readonly isAllowed: boolean }

export const toolAccessProjection: Projection<ToolAccessState, ToolAccessChange> = {
  name: 'tool_access',
  takesRights: ({ access }, change) => ('access' in change ? change.access !== access : !change.isAllowed),
  empty: () => ({ access: DEFAULT_TOOL_ACCESS, channels: new Map() }),
  async load(state, db, organizationId) {
    const own = await db
      .selectFrom('tool_access')
      .select('access')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    // Safe: only this capability's action writes this column, with validated values.
    if (own !== undefined) state.access = own.access as ToolAccess
    const rows = await db
      .selectFrom('channel_tool_access')
      .select(['channel_id', 'is_allowed'])
      .where('organization_id', '=', organizationId)
      .orderBy('channel_id')
      .execute()
    for (const row of rows) state.channels.set(row.channel_id, row.is_allowed)
  },
  apply(state, change) {
    if ('access' in change) state.access = change.access
    else state.channels.set(change.channelId, change.isAllowed)
  },
}

/** Whether AI tools can access a channel: as explicitly chosen, or by default if the channel is public. */
export function allowsTools(organization: OrganizationState, { id, inviteOnly }: Channel): boolean {
  return organization.of(toolAccessProjection).channels.get(id) ?? !inviteOnly
}

export function getToolAccess({ organization, actor }: Reader): Output<typeof contract.getToolAccess> {
  const known = [...organization.of(channelsProjection).byId.values()].filter(
    (channel) => canSeeChannel(organization, actor, channel) && allowsTools(organization, channel),
  )
  return { access: organization.of(toolAccessProjection).access, stream_ids: known.map(({ id }) => id) }
}

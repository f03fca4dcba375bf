import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { Playground } from './contract.ts'

interface PlaygroundsState {
  readonly byId: Map<number, Playground>
}

export type PlaygroundChange = { readonly added: Playground } | { readonly removed: number }

export const playgroundsProjection: Projection<PlaygroundsState, PlaygroundChange> = {
  name: 'playgrounds',
  takesRights: () => false,
  empty: () => ({ byId: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('realm_playgrounds')
      .select(['id', 'name', 'highlighter_language', 'url_template'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    for (const row of rows) state.byId.set(row.id, row)
  },
  apply(state, change) {
    if ('added' in change) state.byId.set(change.added.id, change.added)
    else state.byId.delete(change.removed)
  },
}

export function playgroundsOf(organization: OrganizationState): Playground[] {
  return [...organization.of(playgroundsProjection).byId.values()]
}

export function playgroundsSnapshot({ organization }: Viewer): Record<string, unknown> {
  return { realm_playgrounds: playgroundsOf(organization) }
}

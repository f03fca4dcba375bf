import type { Audience } from '../../kernel/audience.ts'
import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import {
  BUILT_IN_FRAGMENTS,
  NAVIGATION_VIEW_LIMIT,
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
  type NavigationView,
} from './contract.ts'
import { presentView, viewsOf } from './queries.ts'

export async function addNavigationView(
  tx: ActorTx,
  input: Input<typeof contract.addNavigationView>,
): Promise<Record<string, never>> {
  const { fragment, is_pinned } = input
  if (fragment.trim() === '') throw new ApiError('BAD_REQUEST', 'Fragment cannot be blank.')
  const name = typeof input.name === 'string' ? validateViewName(fragment, input.name) : null
  const stored = await viewsOf(tx.db, tx.organizationId, tx.actor.userId)
  if (stored.some((view) => view.fragment === fragment)) {
    throw new ApiError('BAD_REQUEST', 'Navigation view already exists.')
  }
  if (stored.length >= NAVIGATION_VIEW_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${NAVIGATION_VIEW_LIMIT.most} navigation views.`)
  }
  const row = { fragment, is_pinned, name }
  await tx.db
    .insertInto('navigation_views')
    .values({ organization_id: tx.organizationId, user_id: tx.actor.userId, id: tx.nextId(), ...row })
    .execute()
  tx.emit(navigationViewAdded, { navigation_view: presentView(row) }, ownAudience(tx))
  return {}
}

export async function updateNavigationView(
  tx: ActorTx,
  input: Input<typeof contract.updateNavigationView>,
): Promise<Record<string, never>> {
  const known = await ownView(tx, input.fragment)
  if (known === undefined) throw new ApiError('NOT_FOUND', 'Navigation view does not exist.')
  const name = input.name === undefined ? known.name : validateViewName(known.fragment, input.name)
  const is_pinned = input.is_pinned ?? known.is_pinned
  const data = {
    ...(name === undefined || name === known.name ? {} : { name }),
    ...(is_pinned === known.is_pinned ? {} : { is_pinned }),
  }
  if (Object.keys(data).length === 0) return {}
  await tx.db
    .updateTable('navigation_views')
    .set(data)
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('fragment', '=', known.fragment)
    .execute()
  tx.emit(navigationViewUpdated, { fragment: known.fragment, data }, ownAudience(tx))
  return {}
}

export async function removeNavigationView(
  tx: ActorTx,
  input: Input<typeof contract.removeNavigationView>,
): Promise<Record<string, never>> {
  const known = await ownView(tx, input.fragment)
  if (known === undefined) throw new ApiError('BAD_REQUEST', 'Navigation view does not exist.')
  await tx.db
    .deleteFrom('navigation_views')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('fragment', '=', known.fragment)
    .execute()
  tx.emit(navigationViewRemoved, { fragment: known.fragment }, ownAudience(tx))
  return {}
}

function ownAudience(tx: ActorTx): Audience {
  return { users: [tx.actor.userId] }
}

async function ownView(tx: ActorTx, fragment: string): Promise<NavigationView | undefined> {
  const views = await viewsOf(tx.db, tx.organizationId, tx.actor.userId)
  return views.find((view) => view.fragment === fragment)
}

function validateViewName(fragment: string, name: string): string {
  if (BUILT_IN_FRAGMENTS.includes(fragment)) throw new ApiError('BAD_REQUEST', 'Built-in views cannot be renamed.')
  const trimmed = name.trim()
  if (trimmed === '') throw new ApiError('BAD_REQUEST', 'Name cannot be blank.')
  return trimmed
}

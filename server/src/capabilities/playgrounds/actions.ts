import { everyone } from '../../kernel/audience.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { PLAYGROUND_LIMIT, playgroundsChanged, type Playground } from './contract.ts'
import { playgroundsProjection, playgroundsOf } from './queries.ts'
import { validPlayground } from './rules.ts'

export async function addPlayground(
  tx: ActorTx,
  input: Input<typeof contract.addPlayground>,
): Promise<Output<typeof contract.addPlayground>> {
  requireAdministrator(tx)
  const fitting = validPlayground(input)
  const stored = playgroundsOf(tx.organization)
  if (stored.some((known) => isSamePlayground(known, fitting))) {
    throw new ApiError('BAD_REQUEST', 'A playground with this name already exists for this language.')
  }
  if (stored.length >= PLAYGROUND_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${PLAYGROUND_LIMIT.most} playgrounds.`)
  }
  const playground: Playground = { id: tx.nextId(), ...fitting }
  await tx.db
    .insertInto('realm_playgrounds')
    .values({ organization_id: tx.organizationId, ...playground })
    .execute()
  tx.change(playgroundsProjection, { added: playground })
  tx.emit(playgroundsChanged, { realm_playgrounds: [...stored, playground] }, everyone)
  return { id: playground.id }
}

export async function removePlayground(
  tx: ActorTx,
  { playground_id }: Input<typeof contract.removePlayground>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const stored = playgroundsOf(tx.organization)
  const others = stored.filter((known) => known.id !== playground_id)
  if (others.length === stored.length) throw new ApiError('BAD_REQUEST', 'Invalid playground')
  await tx.db
    .deleteFrom('realm_playgrounds')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', playground_id)
    .execute()
  tx.change(playgroundsProjection, { removed: playground_id })
  tx.emit(playgroundsChanged, { realm_playgrounds: others }, everyone)
  return {}
}

function requireAdministrator(tx: ActorTx): void {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}

function isSamePlayground(one: Omit<Playground, 'id'>, other: Omit<Playground, 'id'>): boolean {
  return (
    caseKey(one.name) === caseKey(other.name) &&
    caseKey(one.highlighter_language) === caseKey(other.highlighter_language)
  )
}

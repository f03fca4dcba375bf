import { everyone } from '../../kernel/audience.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { PreparationCall } from '../../platform/request.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { legacyLinkifiersChanged, linkifiersChanged, LINKIFIER_LIMIT, type Linkifier } from './contract.ts'
import { legacyLinkifiers, linkifiersProjection, linkifiersOf } from './queries.ts'
import { linkifierProblem, type LinkifierPattern } from './rules.ts'

export async function addLinkifier(
  tx: ActorTx,
  _input: Input<typeof contract.addLinkifier>,
  { wanted, problem }: CheckedPattern,
): Promise<Output<typeof contract.addLinkifier>> {
  requireAdministrator(tx)
  const stored = linkifiersOf(tx.organization)
  requireUsablePattern(problem, stored, wanted)
  if (stored.length >= LINKIFIER_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${LINKIFIER_LIMIT.most} linkifiers.`)
  }
  const linkifier = { ...wanted, id: tx.nextId() }
  await tx.db
    .insertInto('realm_linkifiers')
    .values({ organization_id: tx.organizationId, ...linkifier, position: stored.length })
    .execute()
  emitLinkifiers(tx, [...stored, linkifier])
  return { id: linkifier.id }
}

export async function updateLinkifier(
  tx: ActorTx,
  { filter_id }: Input<typeof contract.updateLinkifier>,
  { wanted, problem }: CheckedPattern,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const stored = linkifiersOf(tx.organization)
  const before = findLinkifier(stored, filter_id)
  requireUsablePattern(
    problem,
    stored.filter((other) => other !== before),
    wanted,
  )
  if (before.pattern === wanted.pattern && before.url_template === wanted.url_template) return {}
  await tx.db
    .updateTable('realm_linkifiers')
    .set(wanted)
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', filter_id)
    .execute()
  emitLinkifiers(
    tx,
    stored.map((one) => (one === before ? { ...wanted, id: filter_id } : one)),
  )
  return {}
}

export async function removeLinkifier(
  tx: ActorTx,
  { filter_id }: Input<typeof contract.removeLinkifier>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const stored = linkifiersOf(tx.organization)
  const gone = findLinkifier(stored, filter_id)
  await tx.db
    .deleteFrom('realm_linkifiers')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', filter_id)
    .execute()
  await storeLinkifierOrder(
    tx,
    stored.filter((one) => one !== gone),
  )
  return {}
}

export async function reorderLinkifiers(
  tx: ActorTx,
  { ordered_linkifier_ids: ids }: Input<typeof contract.reorderLinkifiers>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const stored = linkifiersOf(tx.organization)
  const byId = new Map(stored.map((one) => [one.id, one]))
  const ordered = ids.map((id) => byId.get(id)).filter((one) => one !== undefined)
  if (new Set(ordered).size !== stored.length || ids.length !== stored.length) {
    throw new ApiError('BAD_REQUEST', 'The ordered list must enumerate all existing linkifiers exactly once')
  }
  if (ordered.some((one, index) => one !== stored[index])) await storeLinkifierOrder(tx, ordered)
  return {}
}

async function storeLinkifierOrder(tx: ActorTx, list: readonly Linkifier[]): Promise<void> {
  for (const [position, { id }] of list.entries()) {
    await tx.db
      .updateTable('realm_linkifiers')
      .set({ position })
      .where('organization_id', '=', tx.organizationId)
      .where('id', '=', id)
      .where('position', '!=', position)
      .execute()
  }
  emitLinkifiers(tx, list)
}

function emitLinkifiers(tx: ActorTx, list: readonly Linkifier[]): void {
  tx.change(linkifiersProjection, list)
  tx.emit(linkifiersChanged, { realm_linkifiers: [...list] }, everyone)
  tx.emit(legacyLinkifiersChanged, { realm_filters: legacyLinkifiers(list) }, everyone)
}

function requireAdministrator(tx: ActorTx): void {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}

function findLinkifier(list: readonly Linkifier[], id: number): Linkifier {
  const found = list.find((one) => one.id === id)
  if (found === undefined) throw new ApiError('BAD_REQUEST', 'Linkifier not found.')
  return found
}

interface CheckedPattern {
  readonly wanted: LinkifierPattern
  readonly problem: string | undefined
}

/** Returns the problem instead of throwing it, because the transaction must first require an administrator. */
export async function checkPattern(_call: PreparationCall, input: LinkifierPattern): Promise<CheckedPattern> {
  const wanted = { pattern: input.pattern, url_template: input.url_template.trim() }
  return { wanted, problem: await linkifierProblem(wanted) }
}

function requireUsablePattern(
  problem: string | undefined,
  others: readonly Linkifier[],
  wanted: LinkifierPattern,
): void {
  if (problem !== undefined) throw new ApiError('BAD_REQUEST', problem)
  if (others.some((other) => other.pattern === wanted.pattern)) {
    throw new ApiError('BAD_REQUEST', 'A linkifier with this pattern already exists.')
  }
}

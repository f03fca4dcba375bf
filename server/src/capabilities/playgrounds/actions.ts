import { everyone } from '../../kernel/audience.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import { templateVariables } from '../../platform/markdown/linkifiers/compile.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { PLAYGROUND_LIMIT, playgroundsChanged, type Playground } from './contract.ts'
import { playgroundsProjection, playgroundsOf } from './queries.ts'

/** The characters of languages' names, in every list of them: `C++`, `Emacs Lisp`, `pl/pgsql`. */
const LANGUAGE = /^[\w+#./ -]+$/
/** Clients open the address that the template gives, so it must not be able to become a script. */
const WEB_ADDRESS = /^https?:\/\/[^/?#\s]/i

export async function addPlayground(
  tx: ActorTx,
  input: Input<typeof contract.addPlayground>,
): Promise<Output<typeof contract.addPlayground>> {
  requireAdministrator(tx)
  const wanted = checked(input)
  const kept = playgroundsOf(tx.organization)
  if (kept.some((known) => isSame(known, wanted))) {
    throw new Refusal('BAD_REQUEST', 'A playground with this name exists for this language.')
  }
  if (kept.length >= PLAYGROUND_LIMIT.most) {
    throw new Refusal('BAD_REQUEST', `No more than ${PLAYGROUND_LIMIT.most} playgrounds can be offered.`)
  }
  const playground: Playground = { id: tx.nextId(), ...wanted }
  await tx.db
    .insertInto('realm_playgrounds')
    .values({ organization_id: tx.organizationId, ...playground })
    .execute()
  tx.change(playgroundsProjection, { added: playground })
  tx.emit(playgroundsChanged, { realm_playgrounds: [...kept, playground] }, everyone)
  return { id: playground.id }
}

export async function removePlayground(
  tx: ActorTx,
  { playground_id }: Input<typeof contract.removePlayground>,
): Promise<Record<string, never>> {
  requireAdministrator(tx)
  const kept = playgroundsOf(tx.organization)
  const others = kept.filter((known) => known.id !== playground_id)
  if (others.length === kept.length) throw new Refusal('BAD_REQUEST', 'Invalid playground')
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
  if (!isAdministrator(tx.actor)) throw new Refusal('BAD_REQUEST', 'Must be an organization administrator')
}

function isSame(one: Omit<Playground, 'id'>, other: Omit<Playground, 'id'>): boolean {
  return (
    caseKey(one.name) === caseKey(other.name) &&
    caseKey(one.highlighter_language) === caseKey(other.highlighter_language)
  )
}

function checked(input: Omit<Playground, 'id'>): Omit<Playground, 'id'> {
  const name = input.name.trim()
  const highlighter_language = input.highlighter_language.trim()
  const url_template = input.url_template.trim()
  if (name === '') throw new Refusal('BAD_REQUEST', 'Name cannot be empty.')
  if (!LANGUAGE.test(highlighter_language)) throw new Refusal('BAD_REQUEST', 'Invalid name of a language.')
  const variables = templateVariables(url_template)
  if (variables === undefined || !WEB_ADDRESS.test(url_template)) {
    throw new Refusal('BAD_REQUEST', 'Invalid URL template.')
  }
  if (!variables.includes('code')) {
    throw new Refusal('BAD_REQUEST', 'The URL template lacks the variable "code".')
  }
  if (new Set(variables).size > 1) {
    throw new Refusal('BAD_REQUEST', 'The URL template can have no variable but "code".')
  }
  return { name, highlighter_language, url_template }
}

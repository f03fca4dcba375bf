import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { onWire, type ApiNames } from '../http/names.ts'

/** JSON text of an object with at least one field, in pieces that begin and end between its values. */
export type JsonPieces = readonly [string, ...string[]]

/** Fields of an answer that were serialized apart from the others. */
export class CachedFields {
  /** In the neutral words. Very long ones are not there as a whole, nor as texts and bytes both. */
  readonly #made: (string | Buffer)[]
  /** In those of existing clients, once one has asked. */
  readonly #renamed: Buffer[] = []
  /** Whether they are sent many times, so that compressing them well pays. */
  readonly isKept: boolean

  constructor(fields: Readonly<Record<string, unknown>> | JsonPieces, isKept = false) {
    this.#made = isPieces(fields) ? [...fields] : [JSON.stringify(fields)]
    this.isKept = isKept
  }

  /** The fields as an object, while they have not been sent. */
  get values(): Readonly<Record<string, unknown>> {
    if (this.#made.some((piece) => typeof piece !== 'string')) return {}
    return JSON.parse(this.#made.join('')) as Readonly<Record<string, unknown>>
  }

  /** The fields as JSON text, without the braces. */
  *bytes(names: ApiNames): Generator<Buffer> {
    for (const index of this.#made.keys()) {
      yield names === 'neutral' ? this.#neutral(index) : (this.#renamed[index] ??= this.#inWords(names, index))
    }
  }

  #neutral(index: number): Buffer {
    const made = this.#made[index] ?? ''
    return typeof made === 'string' ? (this.#made[index] = Buffer.from(this.#withoutBraces(index, made))) : made
  }

  /** A name is known by the brace or the comma before it, so the first piece has its brace meanwhile. */
  #inWords(names: ApiNames, index: number): Buffer {
    const made = this.#made[index] ?? ''
    if (typeof made === 'string') return Buffer.from(this.#withoutBraces(index, onWire(names, made)))
    const text = made.toString()
    return Buffer.from(index === 0 ? onWire(names, `{${text}`).slice(1) : onWire(names, text))
  }

  #withoutBraces(index: number, text: string): string {
    return text.slice(index === 0 ? 1 : 0, index === this.#made.length - 1 ? -1 : undefined)
  }
}

/** Whether fields are JSON text already. */
function isPieces(fields: Readonly<Record<string, unknown>> | JsonPieces): fields is JsonPieces {
  return Array.isArray(fields)
}

/** An answer put together of objects, some of which are serialized already. No two have a field of the same name. */
export class ComposedResponse {
  /** One object of all fields would be made anew with every field that it gets, once there are many. */
  readonly fields: readonly Readonly<Record<string, unknown>>[]
  readonly serialized: readonly CachedFields[]

  constructor(fields: ComposedResponse['fields'], serialized: ComposedResponse['serialized']) {
    this.fields = fields
    this.serialized = serialized
  }
}

/** What is kept of one part of an organization's answers: by roles and client forms, and half of it is more than are in use together. */
const MAX_KEPT = 16

/** What kept fields depend on beside projections. */
export interface Dependence {
  /** All that does not change with time. Undefined for what is not kept. */
  readonly key: string | undefined
  /** What was read from elsewhere, and may be other soon. */
  readonly state?: string
}

interface Kept extends TrackedDependencies {
  readonly fields: CachedFields
  readonly state: string | undefined
}

const cachedOf = new WeakMap<OrganizationState, Map<object, BoundedCache<string, Kept>>>()

/**
 * Fields as `make` makes them, or as it made them before, if nothing that they depend on has changed since.
 * @param part which fields: always the same object
 */
export function cachedFields(
  organization: OrganizationState,
  part: object,
  { key, state }: Dependence,
  make: (organization: OrganizationState) => Readonly<Record<string, unknown>> | JsonPieces,
): CachedFields {
  if (key === undefined) return new CachedFields(make(organization))
  const ofOrganization = cachedOf.get(organization) ?? new Map<object, BoundedCache<string, Kept>>()
  cachedOf.set(organization, ofOrganization)
  const kept = ofOrganization.get(part) ?? new BoundedCache<string, Kept>(MAX_KEPT)
  ofOrganization.set(part, kept)
  const known = kept.get(key)
  const isValid = known !== undefined && known.state === state && isFresh(organization, known)
  const current = isValid ? known : makeTracked(organization, state, make)
  if (current !== known) kept.set(key, current)
  return current.fields
}

function makeTracked(
  organization: OrganizationState,
  state: string | undefined,
  make: (organization: OrganizationState) => Readonly<Record<string, unknown>> | JsonPieces,
): Kept {
  const seen = trackDependencies(organization)
  return { ...seen, fields: new CachedFields(make(seen.organization), state === undefined), state }
}

/** A state that notes which of its projections are looked at. */
export interface TrackedDependencies {
  readonly organization: OrganizationState
  readonly projections: ReadonlySet<{ readonly name: string }>
  /** The position at which they were read. */
  readonly position: number
}

/** Whether what was made of a state is still right: none of the projections on which it depends has changed since. */
export function isFresh(organization: OrganizationState, { projections, position }: TrackedDependencies): boolean {
  return [...projections].every((projection) => organization.changedAt(projection) <= position)
}

/** A state that notes which of its projections are read, for what is cached until one of them changes. */
export function trackDependencies(organization: OrganizationState): TrackedDependencies {
  const projections = new Set<{ readonly name: string }>()
  const seen: OrganizationState = {
    id: organization.id,
    get position(): number {
      throw new Error('what is kept depends on folds alone')
    },
    changedAt: (projection) => organization.changedAt(projection),
    of(projection) {
      projections.add(projection)
      return organization.of(projection)
    },
    invalidatedSince() {
      throw new Error('what is kept depends on projections alone')
    },
  }
  return { organization: seen, projections, position: organization.position }
}

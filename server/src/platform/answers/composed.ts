import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { isRecord } from '../../kernel/keys.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { renameForApi, type ApiNames } from '../http/names.ts'

/** JSON text of a nonempty object, split at boundaries between its values. */
export type JsonPieces = readonly [string, ...string[]]

export class CachedFields {
  /** Pieces of the serialized fields under their default names. Each becomes bytes when it is first sent. */
  readonly #made: (string | Buffer)[]
  readonly #renamed: Buffer[] = []
  readonly isKept: boolean

  constructor(fields: Readonly<Record<string, unknown>> | JsonPieces, isKept = false) {
    this.#made = isJsonPieces(fields) ? [...fields] : [JSON.stringify(fields)]
    this.isKept = isKept
  }

  get values(): Readonly<Record<string, unknown>> {
    if (this.#made.some((piece) => typeof piece !== 'string')) return {}
    const values: unknown = JSON.parse(this.#made.join(''))
    return isRecord(values) ? values : {}
  }

  *bytes(names: ApiNames): Generator<Buffer> {
    for (const index of this.#made.keys()) {
      yield names === 'neutral' ? this.#neutral(index) : (this.#renamed[index] ??= this.#inWords(names, index))
    }
  }

  #neutral(index: number): Buffer {
    const made = this.#made[index] ?? ''
    return typeof made === 'string' ? (this.#made[index] = Buffer.from(this.#withoutBraces(index, made))) : made
  }

  /** Adds a brace temporarily, because a field name is recognized by the preceding brace or comma. */
  #inWords(names: ApiNames, index: number): Buffer {
    const made = this.#made[index] ?? ''
    if (typeof made === 'string') return Buffer.from(this.#withoutBraces(index, renameForApi(names, made)))
    const text = made.toString()
    return Buffer.from(index === 0 ? renameForApi(names, `{${text}`).slice(1) : renameForApi(names, text))
  }

  #withoutBraces(index: number, text: string): string {
    return text.slice(index === 0 ? 1 : 0, index === this.#made.length - 1 ? -1 : undefined)
  }
}

export function isJsonPieces(fields: Readonly<Record<string, unknown>> | JsonPieces): fields is JsonPieces {
  return Array.isArray(fields)
}

/** Response composed of objects, some already serialized. Field names must not repeat. */
export class ComposedResponse {
  /** A list of objects: a single object with many fields would be copied for each added field. */
  readonly fields: readonly Readonly<Record<string, unknown>>[]
  readonly serialized: readonly CachedFields[]

  constructor(fields: ComposedResponse['fields'], serialized: ComposedResponse['serialized']) {
    this.fields = fields
    this.serialized = serialized
  }
}

const MAX_CACHE_ENTRIES_PER_PART = 16

export interface CacheCondition {
  readonly key: string | undefined
  readonly state?: string
}

interface CacheEntry extends TrackedDependencies {
  readonly fields: CachedFields
  readonly state: string | undefined
}

const cachesByOrganization = new WeakMap<OrganizationState, Map<object, BoundedCache<string, CacheEntry>>>()

/** @param part cache key: the same object in every call for these fields */
export function cachedFields(
  organization: OrganizationState,
  part: object,
  { key, state }: CacheCondition,
  make: (organization: OrganizationState) => Readonly<Record<string, unknown>> | JsonPieces,
): CachedFields {
  if (key === undefined) return new CachedFields(make(organization))
  const ofOrganization = cachesByOrganization.get(organization) ?? new Map<object, BoundedCache<string, CacheEntry>>()
  cachesByOrganization.set(organization, ofOrganization)
  const kept = ofOrganization.get(part) ?? new BoundedCache<string, CacheEntry>(MAX_CACHE_ENTRIES_PER_PART)
  ofOrganization.set(part, kept)
  const known = kept.get(key)
  const isValid = known !== undefined && known.state === state && isFresh(organization, known)
  const current = isValid ? known : computeWithDependencies(organization, state, make)
  if (current !== known) kept.set(key, current)
  return current.fields
}

function computeWithDependencies(
  organization: OrganizationState,
  state: string | undefined,
  make: (organization: OrganizationState) => Readonly<Record<string, unknown>> | JsonPieces,
): CacheEntry {
  const seen = trackDependencies(organization)
  return { ...seen, fields: new CachedFields(make(seen.organization), state === undefined), state }
}

export interface TrackedDependencies {
  readonly organization: OrganizationState
  readonly projections: ReadonlySet<{ readonly name: string }>
  readonly position: number
}

export function isFresh(organization: OrganizationState, { projections, position }: TrackedDependencies): boolean {
  return [...projections].every((projection) => organization.changedAt(projection) <= position)
}

export function trackDependencies(organization: OrganizationState): TrackedDependencies {
  const projections = new Set<{ readonly name: string }>()
  const seen: OrganizationState = {
    id: organization.id,
    get position(): number {
      throw new Error('a cached answer can depend only on folds')
    },
    changedAt: (projection) => organization.changedAt(projection),
    of(projection) {
      projections.add(projection)
      return organization.of(projection)
    },
    invalidatedSince() {
      throw new Error('a cached answer can depend only on projections')
    },
  }
  return { organization: seen, projections, position: organization.position }
}

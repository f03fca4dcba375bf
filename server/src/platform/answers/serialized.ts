import type { World } from '../../kernel/fold.ts'

/** JSON text of an object with at least one field, in pieces that begin and end between its values. */
export type JsonPieces = readonly [string, ...string[]]

/** Fields of an answer that were serialized apart from the others. */
export class SerializedFields {
  /** Very long ones are not there as a whole, nor as texts and bytes both. */
  readonly #made: (string | Buffer)[]
  /** Whether they are sent many times, so that compressing them well pays. */
  readonly isKept: boolean

  constructor(fields: Readonly<Record<string, unknown>> | JsonPieces, isKept = false) {
    this.#made = isPieces(fields) ? [...fields] : [JSON.stringify(fields)]
    this.isKept = isKept
  }

  /** The same as an object, while it has not been sent. */
  get values(): Readonly<Record<string, unknown>> {
    if (this.#made.some((piece) => typeof piece !== 'string')) return {}
    return JSON.parse(this.#made.join('')) as Readonly<Record<string, unknown>>
  }

  /**
   * The fields as JSON text, without the braces.
   * @param wire puts JSON text into the words that clients expect: always the same in one process
   */
  *bytes(wire: (json: string) => string): Generator<Buffer> {
    const last = this.#made.length - 1
    for (const [index, piece] of this.#made.entries()) {
      const text = typeof piece === 'string' ? wire(piece) : piece
      const made =
        typeof text === 'string' ? Buffer.from(text.slice(index === 0 ? 1 : 0, index === last ? -1 : undefined)) : text
      this.#made[index] = made
      yield made
    }
  }
}

function isPieces(fields: Readonly<Record<string, unknown>> | JsonPieces): fields is JsonPieces {
  return Array.isArray(fields)
}

/** An answer put together of objects, some of which are serialized already. No two have a field of the same name. */
export class Assembled {
  /** One object of all fields would be made anew with every field that it gets, once there are many. */
  readonly fields: readonly Readonly<Record<string, unknown>>[]
  readonly serialized: readonly SerializedFields[]
  /** Whether clients that take it so get it compressed. */
  readonly isCompressed: boolean

  constructor(fields: Assembled['fields'], serialized: Assembled['serialized'], isCompressed = true) {
    this.fields = fields
    this.serialized = serialized
    this.isCompressed = isCompressed
  }
}

/** What is kept of one part of an organization's answers: by roles and client forms, and more than are in use together. */
const MAX_KEPT = 8

/** What kept fields depend on beside folds. */
export interface Dependence {
  /** All that does not change with time. Undefined for what is not kept. */
  readonly key: string | undefined
  /** What was read from elsewhere, and may be other soon. */
  readonly state?: string
}

interface Kept extends Watched {
  readonly fields: SerializedFields
  readonly state: string | undefined
}

const keptOf = new WeakMap<World, Map<object, Map<string, Kept>>>()

/**
 * Fields as `make` makes them, or as it made them before, if nothing that they depend on has changed since.
 * @param part which fields: always the same object
 */
export function keptFields(
  world: World,
  part: object,
  { key, state }: Dependence,
  make: (world: World) => Readonly<Record<string, unknown>> | JsonPieces,
): SerializedFields {
  if (key === undefined) return new SerializedFields(make(world))
  const ofWorld = keptOf.get(world) ?? new Map<object, Map<string, Kept>>()
  keptOf.set(world, ofWorld)
  const kept = ofWorld.get(part) ?? new Map<string, Kept>()
  ofWorld.set(part, kept)
  const known = kept.get(key)
  kept.delete(key)
  const isValid = known !== undefined && known.state === state && holdsIn(world, known)
  const current = isValid ? known : makeWatched(world, state, make)
  // The one used last is last.
  kept.set(key, current)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
  return current.fields
}

function makeWatched(
  world: World,
  state: string | undefined,
  make: (world: World) => Readonly<Record<string, unknown>> | JsonPieces,
): Kept {
  const seen = watched(world)
  return { ...seen, fields: new SerializedFields(make(seen.world), state === undefined), state }
}

/** A world that notes which of its folds are looked at. */
export interface Watched {
  readonly world: World
  readonly folds: ReadonlySet<{ readonly name: string }>
  /** Since when. */
  readonly position: number
}

/** Whether what was made of a watched world is still right: none of the folds that were looked at has changed since. */
export function holdsIn(world: World, { folds, position }: Watched): boolean {
  return [...folds].every((fold) => world.changedAt(fold) <= position)
}

/** The same world, for what is kept until a fold changes that it was made of. */
export function watched(world: World): Watched {
  const folds = new Set<{ readonly name: string }>()
  const seen: World = {
    organizationId: world.organizationId,
    get position(): number {
      throw new Error('what is kept depends on folds alone')
    },
    changedAt: (fold) => world.changedAt(fold),
    of(fold) {
      folds.add(fold)
      return world.of(fold)
    },
  }
  return { world: seen, folds, position: world.position }
}

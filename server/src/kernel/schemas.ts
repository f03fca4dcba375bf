/*
 * What `zod` is for the program and its tests: prepare.js and vitest.config.ts put this in its place. A schema is noted
 * where it is declared, and made when it is looked into.
 *
 * The declarations of endpoints and events are thousands of schemas, and most are never needed: parameters are parsed by
 * those of the endpoints that are called, and answers and events are checked in tests and development alone. To make all
 * of them was a fifth of a start.
 */
import * as zod from 'zod/v4'

/** Functions that make a schema. Others of zod are called at once. */
const MAKERS = new Set(
  (
    'any array boolean custom discriminatedUnion enum int intersection lazy literal looseObject never null nullable ' +
    'number object optional preprocess record strictObject string tuple undefined union unknown url'
  ).split(' '),
)

/** Methods that make a schema of another. */
const CHANGES = new Set(
  (
    'and array catch catchall check default describe extend gt gte int length lt lte max meta min multipleOf nonempty ' +
    'nonnegative nullable nullish omit optional or partial pick pipe positive prefault readonly refine regex required ' +
    'startsWith strict superRefine transform trim url'
  ).split(' '),
)

/** By these properties a noted schema says that it is one, and gives what it stands for. */
const IS_NOTED = Symbol('is noted')
const MADE = Symbol('made')

type Call = (...parts: readonly unknown[]) => unknown

class Note implements ProxyHandler<object> {
  readonly #make: () => object
  #made: object | undefined

  constructor(make: () => object) {
    this.#make = make
  }

  get(_target: object, name: string | symbol): unknown {
    if (name === IS_NOTED) return true
    if (name === MADE) return this.#schema()
    if (this.#made === undefined && typeof name === 'string' && CHANGES.has(name)) {
      return (...parts: readonly unknown[]) => noted(() => called(this.#schema(), name, parts) as object)
    }
    const value: unknown = Reflect.get(this.#schema(), name)
    return typeof value === 'function' ? (...parts: readonly unknown[]) => called(this.#schema(), name, parts) : value
  }

  has(_target: object, name: string | symbol): boolean {
    return Reflect.has(this.#schema(), name)
  }

  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.#schema())
  }

  #schema(): object {
    return (this.#made ??= this.#make())
  }
}

const noted = (make: () => object): object => new Proxy({}, new Note(make))

/** Zod itself sees only what was made: its own code would be slower with what is noted. */
function called(owner: object, name: string | symbol, parts: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(owner, name) as Call, owner, parts.map(madeOf))
}

/** A schema, or what has schemas as its members, such as the shape of an object. */
function madeOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (isNoted(part)) return Reflect.get(part, MADE)
  if (!Object.values(part).some(isNoted)) return part
  if (Array.isArray(part)) return part.map(madeOf)
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, madeOf(member)]))
}

function isNoted(part: unknown): boolean {
  return typeof part === 'object' && part !== null && Reflect.get(part, IS_NOTED) === true
}

export const z: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(zod).map(([name, value]): [string, unknown] => {
    // Classes are what schemas are compared with.
    if (typeof value !== 'function' || !/^[a-z]/.test(name)) return [name, value]
    const call: Call = (...parts) => called(zod, name, parts)
    return [name, MAKERS.has(name) ? (...parts: readonly unknown[]) => noted(() => call(...parts) as object) : call]
  }),
)

/*
 * What `zod` is for the program and its tests: prepare.js and vitest.config.ts put this in its place. A schema is noted
 * where it is declared, and made when it is looked into.
 *
 * The declarations of endpoints and events are thousands of schemas, and most are never needed: parameters are parsed by
 * those of the endpoints that are called, and answers and events are checked in tests and development alone. To make all
 * of them was a fifth of a start. Zod itself is loaded with the first that is made, which was another tenth.
 */
import type * as Zod from 'zod/v4'

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

let loaded: typeof Zod | undefined

// The builder puts it into the program, to be evaluated when it is called for; import() would not give it at once.
const zod = (): typeof Zod => (loaded ??= require('zod/v4') as typeof Zod)

type Call = (...parts: readonly unknown[]) => unknown

class Note implements ProxyHandler<object> {
  readonly #make: () => object
  readonly #shape: object | undefined
  #made: object | undefined

  /** @param shape of an object, where it is known without making it */
  constructor(make: () => object, shape?: object) {
    this.#make = make
    this.#shape = shape
  }

  get(_target: object, name: string | symbol): unknown {
    if (name === IS_NOTED) return true
    if (name === MADE) return this.#schema()
    if (name === 'shape' && this.#shape !== undefined) return this.#shape
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

const noted = (make: () => object, shape?: object): object => new Proxy({}, new Note(make, shape))

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

/** What cannot wait: other functions are called at once, and classes are what schemas are compared with. */
function atOnce(name: string): unknown {
  const value: unknown = Reflect.get(zod(), name)
  const isFunction = typeof value === 'function' && /^[a-z]/.test(name)
  return isFunction ? (...parts: readonly unknown[]) => called(zod(), name, parts) : value
}

/** Some endpoints take no parameters, as the one that clients ask first, and need no zod to know it. */
const isEmptyObject = (name: string, [shape]: readonly unknown[]): boolean =>
  name === 'object' && typeof shape === 'object' && shape !== null && Object.keys(shape).length === 0

const noting = [...MAKERS].map((name): [string, unknown] => [
  name,
  (...parts: readonly unknown[]) =>
    noted(() => called(zod(), name, parts) as object, isEmptyObject(name, parts) ? {} : undefined),
])

export const z: Readonly<Record<string, unknown>> = new Proxy(Object.fromEntries(noting), {
  get: (makers, name: string) => (makers[name] ??= atOnce(name)),
})

import type * as z from 'zod/mini'

/* Fills in fields that a service omits or leaves empty, because some services disable webhooks that reject requests. */

/** The first round replaces empty values with null; each later round replaces nulls one level deeper. */
export const MAX_FILL_ROUNDS = 11

type ValidationIssue = z.core.$ZodIssue
type PropertyPath = readonly PropertyKey[]

interface FilledField {
  readonly parent: object
  readonly key: PropertyKey
  readonly value: unknown
}

const PERSON_FIELD = /^(?:user|sender|actor|author|login|nickname|display_?name|user_?name)$/i
const PROJECT_FIELD = /^(?:project|repository)$/
const NAME_FIELD = /^(?:full_)?name$/

/** Fills in null or, if the schema rejects null, a minimal value with its required fields. */
export class NullFiller {
  readonly #payload: unknown
  readonly #displayName: string
  readonly #made = new WeakSet<object>()

  constructor(payload: unknown, displayName: string) {
    this.#payload = payload
    this.#displayName = displayName
  }

  /** Fills in empty values. Returns false if an issue has a different cause: a retry would not help. */
  fill(issues: readonly ValidationIssue[]): boolean {
    const fills = this.#fillsOf(issues, [])
    if (fills === undefined) return false
    for (const { parent, key, value } of fills) {
      Reflect.set(parent, key, value)
      if (typeof value === 'object' && value !== null) this.#made.add(value)
    }
    return true
  }

  #fillsOf(issues: readonly ValidationIssue[], before: PropertyPath): readonly FilledField[] | undefined {
    const fills: FilledField[] = []
    for (const issue of issues) {
      const path = [...before, ...issue.path]
      const found = issue.code === 'invalid_union' ? this.#fewestFills(issue.errors, path) : this.#fillsAt(issue, path)
      if (found === undefined) return undefined
      fills.push(...found)
    }
    return fills
  }

  #fewestFills(
    alternatives: readonly (readonly ValidationIssue[])[],
    path: PropertyPath,
  ): readonly FilledField[] | undefined {
    const possible = alternatives.map((issues) => this.#fillsOf(issues, path)).filter((fills) => fills !== undefined)
    return possible.toSorted((one, other) => one.length - other.length)[0]
  }

  #fillsAt(issue: ValidationIssue, path: PropertyPath): readonly FilledField[] | undefined {
    const place = this.#placeOf(path)
    const given = propertyOf(place?.parent, place?.key ?? '')
    if (place === undefined || !isEmpty(given)) return undefined
    if (given === null || this.#made.has(place.parent)) {
      const value = this.#leastFor(issue, path)
      return value === undefined ? undefined : [{ ...place, value }]
    }
    const around = isEmpty(place.parent) ? this.#placeOf(path.slice(0, -1)) : undefined
    return [{ ...(around ?? place), value: null }]
  }

  #placeOf(path: PropertyPath): Pick<FilledField, 'parent' | 'key'> | undefined {
    const key = path.at(-1)
    const parent = path.slice(0, -1).reduce<unknown>(propertyOf, this.#payload)
    return key === undefined || typeof parent !== 'object' || parent === null ? undefined : { parent, key }
  }

  #leastFor(issue: ValidationIssue, path: PropertyPath): unknown {
    if (issue.code === 'invalid_value') return issue.values[0]
    if (issue.code !== 'invalid_type') return undefined
    switch (issue.expected) {
      case 'string':
        return this.#wordsFor(path.map(String))
      case 'number':
      case 'int':
        return 0
      case 'boolean':
        return false
      case 'array':
        return []
      case 'object':
      case 'record':
        return {}
      default:
        return undefined
    }
  }

  #wordsFor(names: readonly string[]): string {
    if (names.some((name) => PERSON_FIELD.test(name))) return 'Someone'
    const [of = '', name = ''] = names.slice(-2)
    return PROJECT_FIELD.test(of) && NAME_FIELD.test(name) ? this.#displayName : ''
  }
}

function propertyOf(parent: unknown, key: PropertyKey): unknown {
  return typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value
}

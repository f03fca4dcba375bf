import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

/*
 * Records for generated tests. A capability's `testing/index.ts` exports them as `samples`, which `testing/samples.ts`
 * collects.
 */

export interface Samples {
  readonly user_id: number
  readonly email: string
}

export type Values = Readonly<Record<string, unknown>>

/**
 * A kind of record that a user may be unable to see: a kind of a capability's `hidden`, a kind in hidden.ts, or `text`,
 * which can mention all of them.
 */
export type Kind = string

export interface CapabilitySamples {
  /** `samples` contains records of earlier capabilities. */
  readonly make?: (organization: TestOrganization, samples: Samples) => Promise<Partial<Samples>>
  /** Records visible only to their creator. */
  readonly makeOwn?: (user: TestUser, samples: Samples) => Promise<Partial<Samples>>
  /** Valid values that do not follow from the declaration. */
  readonly values?: (samples: Samples) => Values
  /** Values for parameters with several meanings, and for endpoints that need optional parameters. */
  readonly inputs?: Readonly<Record<string, (samples: Samples) => Values>>
  /** Kinds by parameter name, or by `endpoint.name` for names with several meanings. */
  readonly names?: Readonly<Record<string, Kind | readonly Kind[]>>
  /** Reason why other parameters need no test with hidden records. */
  readonly namesNothing?: Readonly<Record<string, string>>
  /** Hidden records of the capability, and their audience. */
  readonly hidden?: Readonly<Record<Kind, HiddenSample>>
}

/** Sample that is private to a user or in another organization. */
export interface HiddenSample {
  readonly sample: keyof Samples
  readonly of: 'the owner' | 'another organization'
  /** Returns an unused name in the same form. */
  readonly absent?: (name: string) => string
  readonly beside?: Values
}

export const SETTING = 'a setting, which refers to no record'
export const OWN_WORDS = "the caller's own text, which is not looked up"
export const NEW_NAME = 'a new name; it must be unique, even among hidden records'
export const API_WORD = 'a constant of the API'
export const SECRET = "the caller's secret"
export const TIME = 'a time'
export const COUNT = 'a count'

export const FUTURE = 4_000_000_000

export function anotherLike(name: string): string {
  return name.replace(/[0-9a-f]/, (digit) => (digit === 'a' ? 'b' : 'a'))
}

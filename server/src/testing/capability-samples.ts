import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

/*
 * Information about a capability that generated tests need besides its contract. Its `testing/index.ts` exports this as
 * `samples`, which `testing/samples.ts` collects.
 */

/** Sample records, by the parameter that refers to them. A capability declares its own in its samples. */
export interface Samples {
  /** A user other than the owner. */
  readonly user_id: number
  readonly email: string
}

/** Values by parameter name. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Kind of record that a parameter, or a part of one, can refer to and that a user may be unable to see: one of a
 * capability's `hidden`, one of those in hidden.ts, or `text`, which can mention all of them.
 */
export type Kind = string

export interface CapabilitySamples {
  /** Creates records that requests can refer to. `samples` contains those of earlier capabilities. */
  readonly make?: (organization: TestOrganization, samples: Samples) => Promise<Partial<Samples>>
  /** Creates records visible only to their creator, for the owner and for everyone else who sends requests. */
  readonly makeOwn?: (user: TestUser, samples: Samples) => Promise<Partial<Samples>>
  /** Valid values that do not follow from the declaration, by parameter. */
  readonly values?: (samples: Samples) => Values
  /**
   * Values by endpoint, for parameters with several meanings, and endpoints that need more than their required
   * parameters.
   */
  readonly inputs?: Readonly<Record<string, (samples: Samples) => Values>>
  /**
   * Kinds that parameters and their object members refer to, by name, or by `endpoint.name` for names with several
   * meanings.
   */
  readonly names?: Readonly<Record<string, Kind | readonly Kind[]>>
  /** Reasons why other parameters need no test with hidden records. */
  readonly namesNothing?: Readonly<Record<string, string>>
  /** Kinds of the capability's records, and who cannot see them. */
  readonly hidden?: Readonly<Record<Kind, HiddenSample>>
}

/** Sample that no one else can refer to, because it is private to a user or in another organization. */
export interface HiddenSample {
  readonly sample: keyof Samples
  readonly of: 'the owner' | 'another organization'
  /** Returns an unused name of the same form, for records identified by a text. */
  readonly absent?: (name: string) => string
  /** Parameters required together with the reference. */
  readonly beside?: Values
}

/* Reasons why a parameter needs no test with hidden records. */
export const SETTING = 'says how something is to be, and names nothing'
export const OWN_WORDS = 'the own words, in which nothing is looked up'
export const NEW_NAME =
  'what something new is to be called; names are taken by what is hidden too, since they are unique'
export const API_WORD = 'a word of the API'
export const SECRET = 'a secret of the caller'
export const TIME = 'a time'
export const COUNT = 'a count'

/** Due time of scheduled samples, which no test reaches. */
export const FUTURE = 4_000_000_000

/** Returns a name of the same form, with its first hexadecimal digit changed. */
export function anotherLike(name: string): string {
  return name.replace(/[0-9a-f]/, (digit) => (digit === 'a' ? 'b' : 'a'))
}

import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

/*
 * What the tests that are made from the declarations need to know of a capability beside its contract: what its
 * `testing/index.ts` exports as `samples`. `testing/samples.ts` of the server collects them.
 */

/**
 * What an organization has that requests can name, by the parameter that names it. A capability declares what it makes
 * in its own samples.
 */
export interface Samples {
  /** Another user than the owner. */
  readonly user_id: number
  readonly email: string
}

/** Values of parameters, by their names. */
export type Values = Readonly<Record<string, unknown>>

/**
 * What a parameter, or a part of one, can name that a user may not see: one of `hidden` of a capability, one of
 * those that hidden.ts makes, or `text`, which can mention all of them.
 */
export type Kind = string

export interface CapabilitySamples {
  /** Makes what requests can name. `samples` holds what was made before, by capabilities earlier in the list. */
  readonly make?: (organization: TestOrganization, samples: Samples) => Promise<Partial<Samples>>
  /** Makes what nobody but its maker sees: in the name of the owner, and of everybody else who makes requests. */
  readonly makeOwn?: (user: TestUser, samples: Samples) => Promise<Partial<Samples>>
  /** Valid values that a declaration alone does not tell, by parameter. */
  readonly values?: (samples: Samples) => Values
  /** Values by endpoint, where endpoints use one word for several things or need more than what they require. */
  readonly inputs?: Readonly<Record<string, (samples: Samples) => Values>>
  /**
   * What parameters and the members of objects in them name, by their name, or by `endpoint.name` where endpoints use one
   * word for several things.
   */
  readonly names?: Readonly<Record<string, Kind | readonly Kind[]>>
  /** Why the others need not be tried with what is hidden. */
  readonly namesNothing?: Readonly<Record<string, string>>
  /** The kinds of things that the capability keeps, and who may not see which. */
  readonly hidden?: Readonly<Record<Kind, HiddenSample>>
}

/** A sample that everybody else may not name, since it is one user's own or in another organization. */
export interface HiddenSample {
  readonly sample: keyof Samples
  readonly of: 'the owner' | 'another organization'
  /** Of what is named by a text: a name of the same form that nothing has. */
  readonly absent?: (name: string) => string
  /** What must stand beside the name of it. */
  readonly beside?: Values
}

/* Reasons for which a name need not be tried with what is hidden. */
export const SETTING = 'says how something is to be, and names nothing'
export const OWN_WORDS = 'the own words, in which nothing is looked up'
export const NEW_NAME =
  'what something new is to be called; names are taken by what is hidden too, since they are unique'
export const API_WORD = 'a word of the API'
export const SECRET = 'a secret of the caller'
export const TIME = 'a time'
export const COUNT = 'a count'

/** When what is scheduled in a sample comes: never, as far as a test is concerned. */
export const FUTURE = 4_000_000_000

/** A name of the same form: its first digit is another one. */
export function anotherLike(name: string): string {
  return name.replace(/[0-9a-f]/, (digit) => (digit === 'a' ? 'b' : 'a'))
}

import type { TestOrganization } from '../../../server/src/testing/server.ts'
import type { TestUser } from '../../../server/src/testing/user.ts'

/** An organization in which things happen. */
export interface Scene {
  readonly organization: TestOrganization
  readonly people: TestUser[]
  /** A bot that watches with them. */
  readonly bot: TestUser
  /** The messages that people sent. */
  readonly sent: number[]
  /** Whose accounts were ended, also of those who came back since: their queues ended too. */
  readonly ended: Set<number>
  /** Who said to be there. */
  readonly present: Set<number>
}

/** What somebody does in it, with choices as numbers that are taken modulo what there is to choose from. */
export interface Doing {
  readonly scene: Scene
  readonly actor: TestUser
  readonly other: TestUser
  readonly what: number
  readonly more: number
  readonly rest: number
}

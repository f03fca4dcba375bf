import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

/** An organization in which things happen. */
export interface Scene {
  readonly organization: TestOrganization
  readonly people: TestUser[]
  /** A bot that watches with them. */
  readonly bot: TestUser
  /** The messages that people sent. */
  readonly sent: number[]
  /** The users whose accounts were ended, those who came back since included: their queues ended too. */
  readonly ended: Set<number>
  /** The users who said to be there. */
  readonly present: Set<number>
}

/** What a user does in it, with choices as numbers that are taken modulo what there is to choose from. */
export interface Doing {
  readonly scene: Scene
  readonly actor: TestUser
  readonly other: TestUser
  readonly what: number
  readonly more: number
  readonly rest: number
}

/** What is not allowed is refused, and that is a step too. */
export type Step = (doing: Doing) => Promise<unknown>

/** What people do with a capability in generated histories: what its `testing/index.ts` exports as `steps`. */
export interface CapabilitySteps {
  readonly steps?: Readonly<Record<string, Step>>
  /** Steps that concern messages, who gets them, and what their readers say of them: they come twice as often. */
  readonly messageSteps?: Readonly<Record<string, Step>>
  /**
   * Steps after which the newest message may be another one than the newest that was sent. They come in every other history,
   * twice as often.
   */
  readonly replacingSteps?: Readonly<Record<string, Step>>
  /** How often a step comes, where that is another number than its group has. */
  readonly times?: Readonly<Record<string, number>>
}

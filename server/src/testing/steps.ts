import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

/** Organization of a generated history. */
export interface Scene {
  readonly organization: TestOrganization
  readonly people: TestUser[]
  /** Bot that receives events like the people. */
  readonly bot: TestUser
  /** IDs of messages sent by people. */
  readonly sent: number[]
  /** Users who were deactivated at some time, whose queues therefore ended. */
  readonly ended: Set<number>
  /** Users who reported their presence. */
  readonly present: Set<number>
}

/** Context of a step. Choices are numbers, taken modulo the number of options. */
export interface Doing {
  readonly scene: Scene
  readonly actor: TestUser
  readonly other: TestUser
  readonly what: number
  readonly more: number
  readonly rest: number
}

/** Step of a history; refused requests count as steps too. */
export type Step = (doing: Doing) => Promise<unknown>

/** A capability's steps in generated histories, exported as `steps` from its `testing/index.ts`. */
export interface CapabilitySteps {
  readonly steps?: Readonly<Record<string, Step>>
  /** Steps about messages, their receivers, and their flags; twice as frequent. */
  readonly messageSteps?: Readonly<Record<string, Step>>
  /**
   * Steps after which the newest message can differ from the last one sent. They occur in every other history, twice as
   * often.
   */
  readonly replacingSteps?: Readonly<Record<string, Step>>
  /** Overrides of a step's frequency. */
  readonly times?: Readonly<Record<string, number>>
}

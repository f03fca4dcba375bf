import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

export interface Scene {
  readonly organization: TestOrganization
  readonly people: TestUser[]
  readonly bot: TestUser
  readonly sent: number[]
  /** IDs of people who were deactivated at some time, which ended their queues. */
  readonly ended: Set<number>
  readonly present: Set<number>
}

/** Choices are numbers, taken modulo the number of options. */
export interface StepContext {
  readonly scene: Scene
  readonly actor: TestUser
  readonly other: TestUser
  readonly what: number
  readonly more: number
  readonly rest: number
}

/** Refused requests also count as steps. */
export type Step = (doing: StepContext) => Promise<unknown>

export interface CapabilitySteps {
  readonly steps?: Readonly<Record<string, Step>>
  readonly messageSteps?: Readonly<Record<string, Step>>
  /** Steps after which the newest message may not be the last one sent. Only half of the histories contain them. */
  readonly replacingSteps?: Readonly<Record<string, Step>>
  readonly times?: Readonly<Record<string, number>>
}

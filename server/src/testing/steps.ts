import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

export interface Scene {
  readonly organization: TestOrganization
  readonly people: TestUser[]
  readonly bot: TestUser
  readonly sent: number[]
  /** Deactivated at some time, so their queues ended. */
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

/** Refused requests count as steps, too. */
export type Step = (doing: StepContext) => Promise<unknown>

export interface CapabilitySteps {
  readonly steps?: Readonly<Record<string, Step>>
  readonly messageSteps?: Readonly<Record<string, Step>>
  /** The newest message can then differ from the last one sent. In every other history, twice as often. */
  readonly replacingSteps?: Readonly<Record<string, Step>>
  readonly times?: Readonly<Record<string, number>>
}

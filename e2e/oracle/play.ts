import type pg from 'pg'
import type { Random } from '../../server/src/testing/random.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { Outcome } from '../../server/src/testing/shortest.ts'
import { MESSAGE_STEPS } from './message-steps.ts'
import type { Person } from './model.ts'
import { MODERATION_STEPS } from './moderation-steps.ts'
import { compareReads } from './reads.ts'
import { compareReports } from './reports.ts'
import { createScene, describePerson, recordNotices, type Scene } from './scene.ts'
import { compareSpectatorReads } from './spectators.ts'
import { ADMINISTRATOR_ROLE, isSubscribed } from './rules.ts'
import { activePeople, itemAt, ADMINISTRATOR_STEPS, STEPS, type StepChoice, type StepContext } from './steps.ts'
import { Watcher } from './watcher.ts'

/** Weights of steps. */
const WEIGHTED_STEP_KINDS: readonly string[] = Object.entries({
  send: 10,
  'send direct': 3,
  'create channel': 4,
  'join channel': 3,
  'add people': 4,
  'leave channel': 3,
  'remove people': 2,
  'convert channel': 2,
  'rename channel': 1,
  'grant in channel': 5,
  'archive channel': 1,
  'unarchive channel': 1,
  'make default': 2,
  'make group': 2,
  'deactivate group': 1,
  'fill group': 3,
  'nest group': 2,
  'change role': 2,
  'give bot': 1,
  deactivate: 1,
  reactivate: 3,
  arrive: 1,
  'shelter guests': 2,
  'say who begins conversations': 1,
  'look for channel': 1,
  'look for message': 1,
  rewrite: 3,
  move: 3,
  'move away': 3,
  resolve: 1,
  'delete message': 2,
  'delete topic': 1,
  react: 3,
  pin: 3,
  report: 2,
  'handle report': 3,
  'set slow mode': 2,
  'lock down': 1,
  'add to message': 3,
  flag: 2,
  'choose for topic': 1,
}).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind))

const MAX_CHOICE_NUMBER = 1_000

export function randomSteps(random: Random, count: number): StepChoice[] {
  const number = (): number => Math.floor(random.next() * MAX_CHOICE_NUMBER)
  return Array.from({ length: count }, () => [number(), number(), number(), number(), number()])
}

/** Initial steps that create channels. */
const INITIAL_CHANNEL_COUNT = 4

const STEPS_BETWEEN_READS = 25

export interface PlayOptions {
  /** Steps between polls. Users who poll rarely receive events about the past. */
  readonly lookEvery: number
  /** Indexes of the watching people; all by default. */
  readonly watching?: readonly number[]
}

/** Runs steps in a new organization until a person learns something forbidden or misses something required. */
export async function playSteps(
  server: TestServer,
  database: pg.Pool,
  steps: readonly StepChoice[],
  { lookEvery, watching }: PlayOptions,
): Promise<Outcome> {
  const scene = await createScene(server, database)
  const { model, watchers } = scene
  const history: string[] = []
  const wrong: string[] = []
  const concerned = new Set<number>()
  const indexOf = ({ id }: Person): number => [...model.people.keys()].indexOf(id)
  const note = (person: Person, found: readonly string[]): void => {
    if (found.length === 0) return
    concerned.add(indexOf(person))
    wrong.push(...found.map((what) => `${describePerson(person)} ${what}`))
  }
  const present = (): Person[] =>
    [...model.people.values()].filter((person, index) => person.isActive && watching?.includes(index) !== false)
  const attend = async (): Promise<void> => {
    for (const id of watchers.keys()) if (model.people.get(id)?.isActive !== true) watchers.delete(id)
    for (const person of present()) {
      if (watchers.has(person.id)) continue
      const [watcher, found] = await Watcher.start(model, person, indexOf(person))
      watchers.set(person.id, watcher)
      note(person, found)
    }
  }
  await attend()
  for (const [index, step] of steps.entries()) {
    if (wrong.length > 0) break
    model.clock += 1
    history.push(await performStep(scene, step))
    for (const one of watchers.values()) one.note(model)
    wrong.push(...scene.wrong)
    if (index === steps.length - 1 || index % lookEvery === 0) {
      const looking = [...watchers.values()].filter(({ person }) => person.isActive)
      await Promise.all(looking.map(async (watcher) => note(watcher.person, await watcher.look(model))))
    }
    await attend()
    if (index % STEPS_BETWEEN_READS === 0) wrong.push(...(await compareSpectatorReads(scene)))
    const reader = itemAt(activePeople(scene), index)
    if (index % STEPS_BETWEEN_READS < STEPS_BETWEEN_READS - 1 || wrong.length > 0 || reader === undefined) continue
    if (present().includes(reader)) note(reader, await compareAllReads(scene, reader, index))
  }
  if (wrong.length > 0) return { history, wrong, concerned: [...concerned] }
  for (const person of present()) note(person, await compareAllReads(scene, person, indexOf(person)))
  return { history, wrong, concerned: [...concerned] }
}

async function compareAllReads(scene: Scene, person: Person, number: number): Promise<string[]> {
  return [...(await compareReads(scene, person, 4, number)), ...(await compareReports(scene, person))]
}

async function performStep(scene: Scene, [kind, who, what, more, rest]: StepChoice): Promise<string> {
  const name =
    scene.model.clock <= INITIAL_CHANNEL_COUNT
      ? 'create channel'
      : (WEIGHTED_STEP_KINDS[kind % WEIGHTED_STEP_KINDS.length] ?? '')
  const people = activePeople(scene)
  const officials = people.filter(({ role }) => role <= ADMINISTRATOR_ROLE)
  const actor = itemAt(ADMINISTRATOR_STEPS.includes(name) && rest % 4 > 0 ? officials : people, who)
  const other = itemAt(people, more)
  if (actor === undefined || other === undefined) throw new Error('an organization without people')
  // Prefers channels of the actor, so that the step has an effect.
  const channels = [...scene.model.channels.values()]
  const own = rest % 5 < 3 && name !== 'join channel' ? channels.filter((one) => isSubscribed(one, actor)) : []
  const channel = itemAt(own.length > 0 ? own : channels, what)
  const doing: StepContext = { scene, actor, other, channel, what, more, rest }
  await (STEPS[name] ?? MESSAGE_STEPS[name] ?? MODERATION_STEPS[name])?.(doing)
  await recordNotices(scene)
  const where = channel === undefined ? '' : ` [channel ${channel.id}]`
  return `${scene.model.clock}. ${name}: ${describePerson(actor)}, ${describePerson(other)}${where} (${what}, ${more}, ${rest})`
}

import { Random } from '../../../server/src/testing/random.ts'
import type { TestServer } from '../../../server/src/testing/server.ts'
import type { Outcome } from '../../../server/src/testing/shortest.ts'
import { collect, mergeUnique } from '../../../server/src/testing/collect.ts'
import type { CapabilitySteps, StepContext, Scene, Step } from '../../../server/src/testing/steps.ts'
import { fold } from '../fold.ts'
import { chooseForm, Watcher } from './watcher.ts'

/** One operation. The numbers select the kind, the user, and the objects. */
export type Choice = readonly [kind: number, who: number, what: number, more: number, rest: number, look: number]

const LARGEST_CHOICE = 1_000

const collected = await collect<CapabilitySteps>('steps')
const STEP_WEIGHTS = mergeUnique(collected.map(({ times }) => times))
const USUAL_STEPS = mergeUnique(collected.map(({ steps }) => steps))

export const MESSAGE_STEPS = mergeUnique(collected.map(({ messageSteps }) => messageSteps))
export const REPLACING_STEPS = mergeUnique(collected.map(({ replacingSteps }) => replacingSteps))

const STEPS = mergeUnique([USUAL_STEPS, MESSAGE_STEPS, REPLACING_STEPS])
for (const name of Object.keys(STEP_WEIGHTS)) step(name)

function step(name: string): Step {
  const found = STEPS[name]
  if (found === undefined) throw new Error(`no step is called ${name}`)
  return found
}

/** Lists each operation's name as often as its weight. */
function repeatByWeight(steps: Readonly<Record<string, unknown>>, usually: number): string[] {
  return Object.keys(steps).flatMap((name) => Array.from({ length: STEP_WEIGHTS[name] ?? usually }, () => name))
}

/** Names of operations; those on messages occur twice as often. */
const KINDS: readonly string[] = [...repeatByWeight(USUAL_STEPS, 1), ...repeatByWeight(MESSAGE_STEPS, 2)]
const KINDS_REPLACING: readonly string[] = [...KINDS, ...repeatByWeight(REPLACING_STEPS, 2)]

export function randomSteps(random: Random, count: number): Choice[] {
  const number = (): number => Math.floor(random.next() * LARGEST_CHOICE)
  return Array.from({ length: count }, () => [number(), number(), number(), number(), number(), number()])
}

/**
 * All operations in random order, repeated, mostly by the owner, who has the most permissions. Together they cause
 * every event.
 */
export function everyStep(random: Random, times: number): Choice[] {
  const kinds = [...new Set(KINDS_REPLACING)].map((name) => KINDS_REPLACING.indexOf(name))
  return Array.from({ length: times }, () => random.shuffled(kinds)).flatMap((order) =>
    randomSteps(random, order.length).map(([, who, ...rest], index): Choice => [
      order[index] ?? 0,
      who % 4 === 0 ? who : 0,
      ...rest,
    ]),
  )
}

export interface PlayResult extends Outcome {
  /** Number of operations that were not refused. */
  readonly changes: number
  /** Events that users received, by `type` or `type/op`. */
  readonly told: ReadonlySet<string>
  readonly scene: Scene
}

/** A random action of a user after an operation: poll, compare, register again, or nothing. */
const LATER_ACTIONS = [
  'look',
  'look',
  'look',
  'compare',
  'continue from the new state',
  ...Array.from({ length: 11 }, () => ''),
]

/**
 * Runs operations in a new organization until a client's state differs from a fresh registration.
 * @param seed also selects the clients' forms and whether messages are moved and deleted
 * @param watching indexes of the watching users; all by default
 * @param folding the `fold` under test
 */
export async function play(
  server: TestServer,
  seed: number,
  choices: readonly Choice[],
  watching?: readonly number[],
  folding: typeof fold = fold,
): Promise<PlayResult> {
  const organization = await server.organization()
  const { owner } = organization
  const member = await organization.user('Mia Member')
  const guest = await organization.user('Gus Guest', { role: 600 })
  const admin = await organization.user('Ada Admin', { role: 200 })
  const bot = await organization.user('Bea Bot', { bot: { ownerId: admin.id } })
  const scene: Scene = {
    organization,
    people: [owner, member, guest, admin, await organization.user('Bob')],
    bot,
    sent: [],
    ended: new Set(),
    present: new Set(),
  }
  await owner.subscribe(['Alpha', 'beta'], { principals: [...scene.people, bot].map(({ id }) => id) })
  // A guest who shares no channel with other people and knows of one channel without being in it.
  const metadataOnlyViewer = await organization.user('Olga Onlooker', { role: 600 })
  await owner.subscribe(['Gamma rays'], {
    principals: [owner, member, admin, bot].map(({ id }) => id),
    can_subscribe_group: { direct_members: [metadataOnlyViewer.id], direct_subgroups: [] },
  })
  await step('shelter guests')({ scene, actor: owner, other: owner, what: 0, more: 1, rest: 0 })
  scene.people.push(metadataOnlyViewer)
  const random = new Random(seed)
  const watchers = [owner, member, guest, admin, owner, metadataOnlyViewer, metadataOnlyViewer, bot].map(
    (user, index) => new Watcher(user, chooseForm(random, (index + seed) % 4), folding),
  )
  const present = watchers.filter((_, index) => watching?.includes(index) !== false)
  for (const watcher of present) await watcher.register()
  const kinds = seed % 2 === 0 ? KINDS : KINDS_REPLACING
  const log = await server.parley.logs.of(organization.id)
  const history: string[] = []
  const wrong: string[] = []
  const concerned = new Set<number>()
  let changes = 0

  const attend = async (watcher: Watcher, how: string): Promise<void> => {
    // A bot is deactivated with its owner.
    const mayEnd = watcher.user === bot || scene.ended.has(watcher.user.id)
    const found =
      how === 'look' ? await watcher.look(mayEnd) : await watcher.compare(mayEnd, how === 'continue from the new state')
    if (found.length === 0) return
    const index = watchers.indexOf(watcher)
    concerned.add(index)
    const { event_types: types, ...form } = watcher.form
    const older = types === undefined ? '' : ', without user_topic'
    const who = `watcher ${index}, user ${watcher.user.id}${older}, ${JSON.stringify(form)}:`
    wrong.push(who, ...found.map((difference) => `  ${difference}`))
  }
  for (const [kind, who, what, more, rest, look] of choices) {
    const name = kinds[kind % kinds.length] ?? ''
    const at = (which: number) => scene.people[which % scene.people.length] ?? owner
    // Prefers the owner, whose operations are rarely refused.
    const doing: StepContext = {
      scene,
      actor: who % 2 === 0 ? owner : at(Math.floor(who / 2)),
      other: at(more),
      what,
      more,
      rest,
    }
    const before = log.organization.position
    await step(name)(doing)
    if (log.organization.position > before) changes += 1
    history.push(`${history.length + 1}. ${name}: ${doing.actor.id}, ${doing.other.id} (${what}, ${more}, ${rest})`)
    if (name in REPLACING_STEPS) for (const watcher of watchers) watcher.noteReplaced()
    const watcher = watchers[look % watchers.length]
    const how = LATER_ACTIONS[Math.floor(look / watchers.length) % LATER_ACTIONS.length] ?? ''
    if (how !== '' && watcher !== undefined && present.includes(watcher)) await attend(watcher, how)
    if (wrong.length > 0) break
  }
  if (wrong.length === 0) for (const watcher of present) await attend(watcher, 'compare')
  const told = new Set(present.flatMap((watcher) => [...watcher.told]))
  return { history, wrong, concerned: [...concerned], changes, told, scene }
}

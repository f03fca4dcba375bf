import type pg from 'pg'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { Random } from '../crash/random.ts'
import { MESSAGE_STEPS } from './message-steps.ts'
import { compareReads } from './reads.ts'
import { attend, begin, describe, takeNotices, type Scene } from './scene.ts'
import { active, at, STEPS, type Choice, type Doing } from './steps.ts'

/** How often each kind of step comes. */
const KINDS: readonly string[] = Object.entries({
  send: 10,
  'send direct': 3,
  'create channel': 4,
  'join channel': 3,
  'add people': 4,
  'leave channel': 3,
  'remove people': 2,
  'convert channel': 2,
  'rename channel': 1,
  'grant in channel': 3,
  'archive channel': 1,
  'unarchive channel': 1,
  'make group': 2,
  'fill group': 3,
  'nest group': 2,
  'change role': 2,
  deactivate: 1,
  reactivate: 2,
  arrive: 1,
  'shelter guests': 1,
  'look for channel': 1,
  'look for message': 1,
  rewrite: 3,
  move: 3,
  'move away': 3,
  resolve: 1,
  'delete message': 2,
  'delete topic': 1,
  react: 3,
  flag: 2,
  'choose for topic': 1,
}).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind))

const LARGEST = 1_000

export function randomSteps(random: Random, count: number): Choice[] {
  const number = (): number => Math.floor(random.next() * LARGEST)
  return Array.from({ length: count }, () => [number(), number(), number(), number(), number()])
}

/** Steps that make channels before anything else happens. */
const FIRST_CHANNELS = 4

/** Steps between two comparisons of reads. */
const READ_EVERY = 25

export interface Played {
  readonly history: readonly string[]
  /** What somebody learned and may not, or did not learn and must; empty where all is well. */
  readonly wrong: readonly string[]
}

/**
 * Lets steps happen in a new organization, until something is wrong.
 * @param lookEvery after how many steps everybody looks at their events: who looks late is told of what is past
 */
export async function play(
  server: TestServer,
  database: pg.Pool,
  steps: readonly Choice[],
  lookEvery: number,
): Promise<Played> {
  const scene = await begin(server, database)
  const history: string[] = []
  const wrong = await attend(scene)
  for (const [index, step] of steps.entries()) {
    if (wrong.length > 0) break
    scene.model.clock += 1
    history.push(await perform(scene, step))
    note(scene)
    const isLast = index === steps.length - 1
    if (isLast || index % lookEvery === 0) wrong.push(...(await looks(scene)))
    wrong.push(...scene.wrong, ...(await attend(scene)))
    if (index % READ_EVERY === READ_EVERY - 1 && wrong.length === 0) {
      const reader = at(active(scene), index)
      if (reader !== undefined) wrong.push(...(await compareReads(scene, reader, 4, index)))
    }
  }
  if (wrong.length > 0) return { history, wrong }
  for (const person of active(scene)) wrong.push(...(await compareReads(scene, person, 1, 0)))
  return { history, wrong }
}

async function perform(scene: Scene, [kind, who, what, more, rest]: Choice): Promise<string> {
  const name = scene.model.clock <= FIRST_CHANNELS ? 'create channel' : (KINDS[kind % KINDS.length] ?? '')
  const people = active(scene)
  const actor = at(people, who)
  const other = at(people, more)
  if (actor === undefined || other === undefined) throw new Error('an organization without people')
  const channel = at([...scene.model.channels.values()], what)
  const doing: Doing = { scene, actor, other, channel, what, more, rest }
  await (STEPS[name] ?? MESSAGE_STEPS[name])?.(doing)
  await takeNotices(scene)
  const where = channel === undefined ? '' : ` [channel ${channel.id}]`
  return `${scene.model.clock}. ${name}: ${describe(actor)}, ${describe(other)}${where} (${what}, ${more}, ${rest})`
}

/** Notes for everybody's events what may be known after this step. */
function note({ model, watchers }: Scene): void {
  for (const watcher of watchers.values()) if (watcher.person.isActive) watcher.note(model)
}

/** Everybody looks at what they were told. */
async function looks({ model, watchers }: Scene): Promise<string[]> {
  const present = [...watchers.values()].filter(({ person }) => person.isActive)
  const found = await Promise.all(
    present.map(async (watcher) => (await watcher.look(model)).map((what) => `${describe(watcher.person)} ${what}`)),
  )
  return found.flat()
}

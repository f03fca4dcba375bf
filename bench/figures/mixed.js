import { formatNumber } from '../figure.js'
import { startChild } from '../parts/child.js'
import { addPeople, basicAuthorization } from '../parts/crowd.js'
import { commandLineOf, cpuSeconds } from '../parts/processes.js'
import { withData, withProduct } from '../parts/product.js'

/** @import { Kind, Load } from '../load/mixed.js' */

const PEOPLE = 10_000
const CHANNEL = 'talk'
/** @type {readonly Kind[]} */
const REQUEST_KINDS = ['send', 'edit', 'react', 'flag', 'read']
/** @type {readonly Kind[]} */
const CHANGE_KINDS = ['edit', 'react', 'flag']
const CONNECTIONS_PER_KIND = 24
const WARM_UP_SECONDS = 10
const MEASURED_SECONDS = 15

/** @type {import('../figure.js').Figure} */
export const mixedTailLatency = {
  id: 'tail',
  name: `p99 of the slowest kind of write, against reads; ${CONNECTIONS_PER_KIND} connections each send, edit, react, star, and read among ${PEOPLE} people`,
  unit: 'ms',
  goal: { atMost: 5 },
  async measure() {
    const { loads, notes } = await measureMixed()
    const writes = REQUEST_KINDS.filter((kind) => kind !== 'read').map((kind) => loads[kind].tail)
    return { value: Math.max(...writes), baseline: loads.read.tail, holds: hasNoRefusals(loads), notes }
  },
}

/** @type {import('../figure.js').Figure} */
export const mixedEditRate = {
  id: 'edits',
  name: `edits, reactions, or stars per second (the fewest), against sends; ${CONNECTIONS_PER_KIND} connections each send, edit, react, star, and read among ${PEOPLE} people`,
  unit: 'a second',
  goal: { atLeast: 0.5 },
  async measure() {
    const { loads, notes } = await measureMixed()
    const changes = CHANGE_KINDS.map((kind) => loads[kind].perSecond)
    return { value: Math.min(...changes), baseline: loads.send.perSecond, holds: hasNoRefusals(loads), notes }
  },
}

/** @param {Record<Kind, Load>} loads */
function hasNoRefusals(loads) {
  return REQUEST_KINDS.every((kind) => loads[kind].refused === 0)
}

async function measureMixed() {
  return withData(async (data) => {
    const crowd = await withProduct({ data }, (product) => addPeople(product, PEOPLE, { [CHANNEL]: PEOPLE }))
    const people = REQUEST_KINDS.flatMap((kind, index) =>
      crowd
        .slice(index * CONNECTIONS_PER_KIND, (index + 1) * CONNECTIONS_PER_KIND)
        .map(({ email, key }) => ({ kind, authorization: basicAuthorization(email, key) })),
    )
    return withProduct({ data }, async ({ url, processes }) => {
      const load = startChild('load/mixed.js')
      const before = new Map(processes().map((pid) => [pid, cpuSeconds(pid)]))
      try {
        /** `core`: CPU share of the load process. @type {{ loads: Record<Kind, Load>, core: number }} */
        const { loads, core } = await load.ask({
          url,
          channel: CHANNEL,
          people,
          warmSeconds: WARM_UP_SECONDS,
          seconds: MEASURED_SECONDS,
        })
        const spent = processes()
          .map((pid) => ({ name: commandLineOf(pid), seconds: cpuSeconds(pid) - (before.get(pid) ?? 0) }))
          .filter(({ seconds }) => seconds > 1)
          .map(({ name, seconds }) => `${formatNumber(seconds)} s of CPU: ${name}`)
        const each = REQUEST_KINDS.map((kind) => {
          const { perSecond, median, tail: slowest, refused } = loads[kind]
          const not = refused > 0 ? `; refused ${refused}` : ''
          return `${kind}: ${formatNumber(perSecond)} per second, median ${formatNumber(median)} ms, p99 ${formatNumber(slowest)} ms${not}`
        })
        return { loads, notes: [...each, `load process: ${formatNumber(core)} of a core`, ...spent] }
      } finally {
        await load.stop()
      }
    })
  })
}

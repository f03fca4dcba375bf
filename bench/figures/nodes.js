import { quantile, formatNumber } from '../figure.js'
import { makeOrganizations, measureSpent, withGroups } from '../parts/nodes.js'
import { withData } from '../parts/product.js'
import { JIT_WARM_UP_SECONDS, medianRate, medianRateRatio, measureSends } from '../parts/sending.js'

/** @import { Bus, Group, Organization, Spent } from '../parts/nodes.js' */
/** @import { Sending } from '../load/senders.js' */
/** @typedef {Sending & Spent} Round */

const NODE_COUNT = 3
const SUBDOMAINS = ['north', 'south']
/** Sending accounts per organization; one more account reads. */
const SENDERS = 22
const CHANNEL = 'general'
const ROUNDS = 5
/** Limit for database CPU per send, relative to one server. Applies in addition to the goal for sends. */
const MAX_DATABASE_TIME_RATIO = 1.3

/**
 * Distribution of requests over three servers. `in_turn`: round robin. `by_host`: one server per organization.
 * `gathered`: sends to one server per organization, reads round robin; an upper bound for servers that forward sends.
 * @typedef {'in_turn' | 'by_host' | 'gathered'} Spreading
 */
/** @typedef {Record<'alone' | Spreading, Round[]>} Rounds */

/** Servers per group. Groups share no servers, because a server keeps following each organization it has read. */
const SERVERS_PER_GROUP = { alone: 1, in_turn: NODE_COUNT, by_host: NODE_COUNT }

/** Measurements by bus, each shared by two figures. @type {Map<Bus, Promise<Rounds>>} */
const roundsByBus = new Map()

export const nodesInTurn = createNodesFigure('nodes', 'postgresql', 'in_turn')
export const nodesByHost = createNodesFigure('nodes-by-host', 'postgresql', 'by_host')
export const nodesInTurnOnNats = createNodesFigure('nodes-nats', 'nats', 'in_turn')
export const nodesByHostOnNats = createNodesFigure('nodes-nats-by-host', 'nats', 'by_host')

/**
 * @param {string} id @param {Bus} bus @param {'in_turn' | 'by_host'} spreading @returns {import('../figure.js').Figure}
 */
function createNodesFigure(id, bus, spreading) {
  const way = spreading === 'in_turn' ? 'that take turns' : 'that each get the requests of one organization'
  return {
    id,
    name:
      `sends per second, ${SENDERS} senders in each of three organizations, at ${NODE_COUNT} servers ${way}, against one server; ` +
      `database CPU per send at most ${MAX_DATABASE_TIME_RATIO} times; bus: ${bus === 'nats' ? 'NATS' : 'the database'}`,
    unit: 'sends/s',
    goal: { atLeast: 0.95 },
    async measure() {
      const rounds = await measureRoundsOnce(bus)
      const { alone } = rounds
      const several = rounds[spreading]
      return {
        value: medianRate(several),
        baseline: medianRate(alone),
        ratio: medianRateRatio(several, alone),
        holds:
          medianCostRatio(several, alone, databaseSeconds) <= MAX_DATABASE_TIME_RATIO &&
          [...several, ...alone].every(({ read, sent, refused }) => read === sent && refused === 0),
        notes: [
          describeRounds('one server', alone, alone),
          describeRounds(`${NODE_COUNT} servers`, several, alone),
          ...(spreading === 'in_turn'
            ? [describeRounds('same servers, all sends at one', rounds.gathered, alone)]
            : []),
        ],
      }
    },
  }
}

/** @param {Bus} bus @returns {Promise<Rounds>} */
function measureRoundsOnce(bus) {
  const known = roundsByBus.get(bus) ?? withData((data) => measureRounds(data, bus))
  roundsByBus.set(bus, known)
  return known
}

/** @param {string} data @param {Bus} bus @returns {Promise<Rounds>} */
async function measureRounds(data, bus) {
  const { organizations, command } = await makeOrganizations(data, SUBDOMAINS, SENDERS + 1, CHANNEL)
  return withGroups({ data, command, sizes: SERVERS_PER_GROUP, bus }, async (groups) => {
    /** @type {Rounds} */
    const rounds = { alone: [], in_turn: [], by_host: [], gathered: [] }
    for (const group of Object.values(groups)) {
      const spreading = group === groups.by_host ? 'by_host' : 'in_turn'
      await measureRound(group, organizations, spreading, JIT_WARM_UP_SECONDS * group.urls.length)
    }
    for (let count = 0; count < ROUNDS; count += 1) {
      rounds.alone.push(await measureRound(groups.alone, organizations, 'in_turn'))
      rounds.in_turn.push(await measureRound(groups.in_turn, organizations, 'in_turn'))
      rounds.by_host.push(await measureRound(groups.by_host, organizations, 'by_host'))
      rounds.gathered.push(await measureRound(groups.in_turn, organizations, 'gathered'))
    }
    return rounds
  })
}

/**
 * @param {Group} group @param {readonly Organization[]} organizations @param {Spreading} spreading
 * @param {number} [seconds] @returns {Promise<Round>}
 */
async function measureRound(group, organizations, spreading, seconds) {
  const { urls } = group
  const crowds = organizations.map(({ host, people }, index) => {
    const one = urls.slice(index % urls.length, (index % urls.length) + 1)
    const authorization = people.at(-1)?.authorization ?? ''
    return {
      host,
      sendsTo: spreading === 'in_turn' ? urls : one,
      senders: people.slice(0, SENDERS),
      reader: { authorization, asks: spreading === 'by_host' ? one : urls },
    }
  })
  const before = await measureSpent(group)
  const sent = await measureSends({ crowds, channel: CHANNEL, ...(seconds === undefined ? {} : { seconds }) })
  return { ...sent, ...(await measureSpent(group, before)) }
}

/** @param {readonly Round[]} several @param {readonly Round[]} alone @param {(one: Round) => number} spent */
function medianCostRatio(several, alone, spent) {
  return quantile(
    several.map((one, index) => {
      const other = alone[index] ?? one
      return spent(one) / one.sent / (spent(other) / other.sent)
    }),
    0.5,
  )
}

/** @param {Round} one */
function databaseSeconds(one) {
  return one.databaseSeconds
}

/** @param {Round} one */
function totalSeconds(one) {
  return one.databaseSeconds + one.serverSeconds
}

/** @param {string} what @param {readonly Round[]} rounds @param {readonly Round[]} alone */
function describeRounds(what, rounds, alone) {
  const perSend = (/** @type {'databaseSeconds' | 'serverSeconds' | 'activeSeconds' | 'commits'} */ name) =>
    quantile(
      rounds.map((one) => one[name] / one.sent),
      0.5,
    )
  const microseconds = (/** @type {'databaseSeconds' | 'serverSeconds' | 'activeSeconds'} */ name) =>
    `${formatNumber(perSend(name) * 1e6)} µs`
  const [middle = '', tail = ''] = [0, 1].map((index) => {
    const times = rounds.map(({ milliseconds }) => milliseconds[index] ?? Number.NaN)
    return formatNumber(quantile(times, 0.5))
  })
  const unread = rounds.reduce((sum, { read, sent }) => sum + sent - read, 0)
  return (
    `${what}: ${rounds.map(({ perSecond }) => formatNumber(perSecond)).join(', ')} sends/s, ratio ${formatNumber(medianRateRatio(rounds, alone))}; ` +
    `median ${middle} ms, p99 ${tail} ms; CPU per send: ${microseconds('databaseSeconds')} for the database ` +
    `(ratio ${formatNumber(medianCostRatio(rounds, alone, databaseSeconds))}) and ${microseconds('serverSeconds')} for the servers (both: ` +
    `${formatNumber(medianCostRatio(rounds, alone, totalSeconds))}), statements ${microseconds('activeSeconds')} including waits, ` +
    `${formatNumber(perSend('commits'))} transactions; unread ${unread}`
  )
}

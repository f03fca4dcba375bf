import { beforeAll } from 'vitest'
import type { Endpoint } from '../kernel/endpoint.ts'
import { organizationWithSecrets, type Pair, type OrganizationWithSecrets, type ViewerName } from './hidden.ts'
import { pathOf } from './samples.ts'
import { useTestServer, type TestServer } from './server.ts'
import { basic, callApi, type Body, type TestQueue } from './user.ts'

/** One of two organizations created by the same steps, with equal IDs. */
export interface Twin extends OrganizationWithSecrets {
  readonly queues: readonly (readonly [string, TestQueue])[]
  readonly position: () => number
}

export interface Twins {
  readonly one: Twin
  readonly other: Twin
  /** Tokens for hidden text and their counterparts, longest first. */
  readonly words: readonly (readonly [string, string])[]
  readonly numbers: ReadonlyMap<string, string>
}

export function useTwins(): () => Twins {
  const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '3600' })
  let twins: Twins | undefined
  beforeAll(async () => {
    const [one, other] = [await createTwin(server()), await createTwin(server())]
    twins = { one, other, words: wordsOf([one, other]), numbers: numbersOf([one, other]) }
  }, 60_000)
  return () => {
    if (twins === undefined) throw new Error('the twins are made in beforeAll')
    return twins
  }
}

async function createTwin(server: TestServer): Promise<Twin> {
  const one = await organizationWithSecrets(server)
  const queues: [string, TestQueue][] = []
  for (const [name, user] of Object.entries(one.people)) queues.push([name, await user.register()])
  const { organization: scene } = await server.parley.logs.of(one.organization.id)
  return { ...one, queues, position: () => scene.position }
}

export async function eventsOfAll(twin: Twin): Promise<readonly (readonly [string, Body[]])[]> {
  return Promise.all(twin.queues.map(async ([who, queue]) => [who, await queue.events()] as const))
}

/** Removes differences between organizations, and replaces the references by tokens. */
export function toComparable(value: unknown, { words, numbers }: Twins, { organization: { host } }: Twin): string {
  let text = JSON.stringify(value)
  for (const [word, token] of words) text = text.replaceAll(word, token)
  return (
    text
      .replaceAll(host, 'HOST')
      .replaceAll(host.split('.')[0] ?? host, 'SUBDOMAIN')
      .replace(/\/(user_uploads|user_avatars)\/\d+\//g, '/$1/REALM/')
      .replace(/\/user_avatars\/emoji\/[\w-]+/g, '/user_avatars/emoji/FILE')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
      .replace(/"api_key":"\w+"/g, '"api_key":"KEY"')
      .replace(/"token":"[\w-]{32}"/g, '"token":"TOKEN"')
      .replace(/-[0-9a-f]{6}@example/g, '@example')
      .replace(/\b[0-9a-f]{32,}\b/g, 'DIGEST')
      .replace(/\d{4}-\d\d-\d\dT[\d:]{8}/g, 'TIME')
      // Applied after replacing numbers that are not IDs.
      .replace(/(?<![\w.])\d+(?!\w|\.\d)/g, (digits) => numbers.get(digits) ?? digits)
      .replace(/\b1[789]\d{8}(\d{3})?(\.\d+)?\b/g, '1')
  )
}

function pairsOf(twin: Twin): Pair[] {
  return Object.values(twin.viewers).flatMap((viewer) => Object.values(viewer.pairs).flatMap((pairs = []) => pairs))
}

/** Sorts by length, so that no word matches inside another. */
function wordsOf(pair: readonly Twin[]): readonly (readonly [string, string])[] {
  const found = pair.flatMap(pairsOf).flatMap(({ hidden, absent }) => {
    const texts = hidden.texts.flatMap((text, index) => [
      [text, `TEXT${hidden.id}.${index}`] as const,
      [absent.texts[index] ?? text, `TEXT${hidden.id}.${index}`] as const,
    ])
    const names = [hidden, absent].map(({ name = '' }) => [name, `NAME${hidden.id}`] as const)
    return [...texts, ...names].filter(([word]) => !/^\d*$/.test(word))
  })
  return [...new Map(found)].toSorted(([a], [b]) => b.length - a.length)
}

function numbersOf(pair: readonly Twin[]): ReadonlyMap<string, string> {
  return new Map(
    pair
      .flatMap(pairsOf)
      .flatMap(({ hidden, absent }) => [hidden, absent].map(({ id }) => [String(id), `-${hidden.id}`] as const)),
  )
}

const OWN_HEADERS = ['date', 'content-length', 'x-request-id']

/** @returns the answer, the resulting state, and, if anything changed, everyone's events, in comparable form */
export async function askTwin(
  twins: Twins,
  twin: Twin,
  name: ViewerName,
  endpoint: Endpoint,
  input: Body,
): Promise<string> {
  const { user } = twin.viewers[name]
  const position = twin.position()
  const { path, query } = pathOf(endpoint, input)
  const isQuery = endpoint.method === 'GET'
  const answer = await callApi(
    user.url,
    user.host,
    endpoint.method,
    isQuery ? `${path}?${query.toString()}` : path,
    {},
    { headers: { authorization: basic(user.email, user.apiKey) }, ...(isQuery ? {} : { body: query.toString() }) },
  )
  const moved = twin.position() - position
  const events = moved === 0 ? [] : await eventsOfAll(twin)
  const headers = Object.entries(answer.headers).filter(([header]) => !OWN_HEADERS.includes(header))
  if (answer.status !== 200 && moved !== 0) throw new Error(`${path} was refused and changed something`)
  return toComparable({ status: answer.status, body: answer.body, headers, moved, events }, twins, twin)
}

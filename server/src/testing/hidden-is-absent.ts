import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { capabilities } from '../capabilities.ts'
import { OPERATORS } from '../capabilities/history/queries/operators.ts'
import type { Endpoint } from '../kernel/endpoint.ts'
import { someOf } from './effort.ts'
import { HIDDEN_KINDS, type Pair, type Thing, type Viewer, type ViewerName } from './hidden.ts'
import type { Kind } from './capability-samples.ts'
import { isList, parseObject } from './json.ts'
import { allNamedKinds, kindsOf, leavesOf, type SiblingValues, type Leaf } from './naming.ts'
import { definitionOf, sampleInput } from './samples.ts'
import { askTwin, toComparable, eventsOfAll, useTwins } from './twins.ts'
import type { Body } from './user.ts'

/*
 * Tests that hidden records are indistinguishable from absent ones, in every parameter of every endpoint. Two
 * organizations are created by the same steps. Requests to the first refer to hidden records, and requests to the
 * second to absent records. Answers, events for everyone, and the resulting states must be equal.
 */

const endpoints = capabilities.flatMap((capability) => capability.routes).map(({ endpoint }) => endpoint)

const OPERANDS: Readonly<Record<string, readonly [Kind, (thing: Thing) => unknown[]][] | undefined>> = {
  channel: [['channel', asChannel]],
  stream: [['channel', asChannel]],
  topic: [['topic', ({ texts }) => [texts[0]]]],
  subject: [['topic', ({ texts }) => [texts[0]]]],
  sender: [['user', asUser]],
  from: [['user', asUser]],
  dm: [['user', asUsers]],
  'pm-with': [['user', asUsers]],
  pm_with: [['user', asUsers]],
  'dm-including': [['user', asUsers]],
  'group-pm-with': [['user', asUsers]],
  group_pm_with: [['user', asUsers]],
  id: [['message', asMessage]],
  near: [['message', asMessage]],
  with: [['message', asMessage]],
  search: [['message', ({ texts }) => [texts[1] ?? texts[0]]]],
  in: [],
  channels: [],
  streams: [],
  has: [],
  order: [],
  is: [],
}

function asChannel({ id, texts }: Thing): unknown[] {
  return [...texts, id, String(id)]
}

function asUser({ id, texts }: Thing): unknown[] {
  return [...texts, id]
}

function asUsers({ id, texts }: Thing): unknown[] {
  return [...texts, [id]]
}

function asMessage({ id }: Thing): unknown[] {
  return [id, String(id)]
}

const MENTIONS: readonly (readonly [Kind, (thing: Thing) => string])[] = [
  ['user', ({ id, name }) => `@**${name}** @**${name}|${id}** @_**${name}|${id}** @**|${id}**`],
  [
    'channel',
    ({ id, texts: [name] }) => `#**${name}** #**${name}>hush** [a](/#narrow/channel/${id}-${name}/topic/hush/near/1)`,
  ],
  ['topic', ({ texts: [name] }) => `#**memoirs>${name}**`],
  ['message', ({ id }) => `#**general>hello@${id}** #**memoirs>hush@${id}**`],
  ['file', ({ texts: [path] }) => `[a](/user_uploads/1/${path}) ![](/user_uploads/1/${path})`],
  ['emoji', () => ':sample:'],
]

interface WrittenPair extends Pair {
  readonly values: readonly [unknown, unknown]
}

function valuesFor(leaf: Leaf, kind: Kind, viewer: Viewer): readonly WrittenPair[] {
  if (kind === 'text') {
    return MENTIONS.flatMap(([mentioned, write]) =>
      (viewer.pairs[mentioned] ?? []).map((pair) => ({ ...pair, values: [write(pair.hidden), write(pair.absent)] })),
    )
  }
  return (viewer.pairs[kind] ?? []).flatMap((pair) => {
    const ways: readonly (readonly [unknown, unknown])[] =
      leaf.type === 'number'
        ? [[pair.hidden.id, pair.absent.id]]
        : pair.hidden.texts.map((text, index) => [text, pair.absent.texts[index]])
    return ways.map((values) => ({ ...pair, values }))
  })
}

function narrowsFor(viewer: Viewer): readonly WrittenPair[] {
  return Object.entries(OPERANDS).flatMap(([operator, ways = []]) =>
    ways.flatMap(([kind, write]) =>
      (viewer.pairs[kind] ?? []).flatMap((pair) => {
        const absent = write(pair.absent)
        return write(pair.hidden).flatMap((operand, index) =>
          [false, true].map((negated) => {
            const channel = pair.hidden.beside?.['stream_id']
            const inChannel = channel === undefined ? [] : [{ operator: 'channel', operand: channel, negated: false }]
            const narrow = (one: unknown): unknown => [...inChannel, { operator, operand: one, negated }]
            return { ...pair, values: [narrow(operand), narrow(absent[index])] as const }
          }),
        )
      }),
    ),
  )
}

/** Returns parameters that no capability's samples explain, and kinds without hidden records. */
export function unexplainedParameters(): string[] {
  const names = endpoints.flatMap((endpoint) =>
    leavesOf(endpoint)
      .filter((leaf) => leaf.parameter !== 'narrow' && kindsOf(endpoint, leaf) === undefined)
      .map((leaf) => `${endpoint.id}.${leaf.name} (in ${leaf.parameter})`),
  )
  const operators = [...Object.keys(OPERATORS), 'with'].filter((operator) => OPERANDS[operator] === undefined)
  const unknown = [...allNamedKinds()]
    .filter((kind) => !HIDDEN_KINDS.has(kind))
    .map((kind) => `no hidden records of kind ${kind}`)
  return [...new Set(names), ...operators, ...unknown]
}

interface Probe {
  readonly what: string
  readonly inputs: readonly [Body, Body]
}

function probesOf(endpoint: Endpoint, [one, other]: readonly [Viewer, Viewer]): (() => Probe)[] {
  const sample = sampleInput(endpoint, one.samples)
  return leavesOf(endpoint).flatMap((leaf) => {
    const isNarrow = leaf.parameter === 'narrow'
    if (isNarrow && leaf.name !== 'operator') return []
    const choices = choicesOf(endpoint, leaf.parameter)
    return (isNarrow ? (['narrow'] as const) : (kindsOf(endpoint, leaf) ?? [])).flatMap((kind) => {
      const values = isNarrow ? narrowsFor(one) : valuesFor(leaf, kind, one)
      const others = isNarrow ? narrowsFor(other) : valuesFor(leaf, kind, other)
      return values.flatMap((pair, index) => {
        const absent = others[index]?.values[1]
        const beside = { ...siblingValuesFor(endpoint, leaf, kind, one, index), ...pair.hidden.beside }
        const ways = isNarrow
          ? [(value: unknown) => value]
          : [leaf.with, ...additionalSetters(endpoint, leaf, one)].map((put) => (value: unknown) => put(value, beside))
        return ways.flatMap((put) =>
          unusedChoices(choices, { ...sample, ...beside }).map((choice) => () => ({
            what: `${leaf.parameter} ${leaf.name} ${kind} ${pair.what}: ${JSON.stringify(put(pair.values[0]))} ${JSON.stringify(choice)}`,
            inputs: [
              inputOf(endpoint, one, { ...beside, ...choice, [leaf.parameter]: put(pair.values[0]) }),
              inputOf(endpoint, other, { ...beside, ...choice, [leaf.parameter]: put(absent) }),
            ] as const,
          })),
        )
      })
    })
  })
}

function additionalSetters(endpoint: Endpoint, leaf: Leaf, viewer: Viewer): Leaf['with'][] {
  const sample = sampleInput(endpoint, viewer.samples)[leaf.parameter]
  if (!isList(sample)) return []
  return [
    (value, beside) => {
      const list = leaf.with(value, beside)
      return isList(list) ? [...sample, ...list] : list
    },
  ]
}

function siblingValuesFor(
  { id, input: { shape } }: Endpoint,
  leaf: Leaf,
  kind: Kind,
  viewer: Viewer,
  turn: number,
): SiblingValues {
  const { type } = shape
  // New objects need unique names, because otherwise their settings would be ignored.
  const name = `${viewer.user.id} ${turn} ${leaf.parameter.slice(0, 30)} ${leaf.name.slice(0, 15)}`
  const made = { name, subscriptions: [{ name }] }
  const named = id === 'unsubscribe' ? {} : made
  if (kind === 'channel') return { ...named, type: 'stream', topic: 'hello' }
  if (kind !== 'user') return named
  const isPrivate = type === undefined || z.safeParse(type, 'private').success
  return { ...named, type: isPrivate ? 'private' : 'direct', id: viewer.peopleField }
}

const MESSAGE_WINDOW_PARAMETERS = ['anchor', 'num_before', 'num_after', 'narrow']

function inputOf(endpoint: Endpoint, viewer: Viewer, others: SiblingValues): Body {
  const { shape } = endpoint.input
  const taken = Object.entries(others).filter(([name, value]) => {
    const schema = shape[name]
    return schema !== undefined && z.safeParse(schema, value).success
  })
  const input = { ...sampleInput(endpoint, viewer.samples), ...Object.fromEntries(taken) }
  // A request can change either the text or the location of a message.
  if (endpoint.id === 'updateMessage' && input['stream_id'] !== undefined) delete input['content']
  // Messages are selected either by ID or by a window.
  if (input['message_ids'] !== undefined) for (const name of MESSAGE_WINDOW_PARAMETERS) delete input[name]
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** Returns values to try in turn, so that no value takes effect only for visible records. */
function choicesOf({ input: { shape } }: Endpoint, except: string): SiblingValues[] {
  const words = Object.entries(shape).flatMap(([name, schema]) => {
    const options = name === 'flag' ? FLAGS : name === 'type' ? [] : wordsOf(schema)
    return name === except ? [] : options.map((word) => ({ [name]: word }))
  })
  return [{}, ...words]
}

function unusedChoices(choices: readonly SiblingValues[], said: SiblingValues): SiblingValues[] {
  return choices.filter((choice) => Object.entries(choice).every(([name, word]) => said[name] !== word))
}

const FLAGS = ['read', 'starred', 'collapsed']

function wordsOf(schema: z.core.$ZodType): unknown[] {
  const { type, innerType, entries } = definitionOf(schema)
  if (type === 'enum') return Object.values(entries ?? {})
  return innerType === undefined ? [] : wordsOf(innerType)
}

const referringEndpoints = endpoints
  .filter((endpoint) => leavesOf(endpoint).some((leaf) => leaf.parameter === 'narrow' || kindsOf(endpoint, leaf)?.[0]))
  .map((endpoint) => [endpoint.id, endpoint] as const)

/** Tests one kind of viewer, so that several test files can run in parallel. */
export function testHiddenIsAbsent(viewer: ViewerName): void {
  const twins = useTwins()

  describe(`requests by the ${viewer}`, () => {
    it.each(referringEndpoints)(
      '%s answers references to hidden and absent objects identically',
      async (_, endpoint) => {
        const { one, other } = twins()
        const differing: unknown[] = []
        const probes = probesOf(endpoint, [one.viewers[viewer], other.viewers[viewer]])
        for (const probe of someOf(probes)) {
          const { what, inputs } = probe()
          const [hidden, absent] = await Promise.all([
            askTwin(twins(), one, viewer, endpoint, inputs[0]),
            askTwin(twins(), other, viewer, endpoint, inputs[1]),
          ])
          if (hidden !== absent) differing.push({ what, hidden, absent })
        }
        // Includes ephemeral events, such as typing.
        const [hidden, absent] = await Promise.all(
          [one, other].map(async (twin) => toComparable(await eventsOfAll(twin), twins(), twin)),
        )
        if (hidden !== absent) differing.push({ what: 'final events', hidden, absent })
        expect(differing).toEqual([])
      },
    )
  })

  it(`shows the ${viewer} the same state in both organizations`, async () => {
    const { one, other } = twins()
    const [state, otherState] = await Promise.all(
      [one, other].map(async (twin) => {
        const queue = await twin.viewers[viewer].user.register()
        return parseObject(toComparable(queue.state, twins(), twin))
      }),
    )
    expect(state).toEqual(otherState)
  })
}

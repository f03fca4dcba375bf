import * as z from 'zod/mini'
import type { Endpoint } from '../kernel/endpoint.ts'
import { COUNT, NEW_NAME, SETTING, type Kind } from './capability-samples.ts'
import { mergeUnique } from './collect.ts'
import { collectedSamples, definitionOf, sampleOf } from './samples.ts'

const names = mergeUnique<Kind | readonly Kind[]>([
  { description: 'text' },
  ...collectedSamples.map((samples) => samples.names),
])

/** Reason why a name needs no test with hidden records. */
const NAMES_NOTHING: Readonly<Record<string, string>> = {
  before: COUNT,
  limit: COUNT,
  name: NEW_NAME,
  offset: COUNT,
  order: 'a place in a list',
  text: SETTING,
  value: SETTING,
}

const namesNothing = mergeUnique([NAMES_NOTHING, ...collectedSamples.map((samples) => samples.namesNothing)])

export function allNamedKinds(): ReadonlySet<Kind> {
  return new Set(
    Object.values(names)
      .flat()
      .filter((kind) => kind !== 'text'),
  )
}

export interface Leaf {
  readonly parameter: string
  readonly name: string
  readonly type: 'number' | 'string'
  readonly with: (value: unknown, beside: SiblingValues) => unknown
}

/** Values for the other fields of an object or request, which their schemas accept. */
export type SiblingValues = Readonly<Record<string, unknown>>

type LeafSetter = Leaf['with']

export function leavesOf({ input: { shape } }: Endpoint): Leaf[] {
  return Object.entries(shape).flatMap(([parameter, schema]) =>
    [...leavesIn(schema, parameter, (value) => value)].map((leaf) => ({ parameter, ...leaf })),
  )
}

function* leavesIn(schema: z.core.$ZodType, name: string, put: LeafSetter): Generator<Omit<Leaf, 'parameter'>> {
  const { type, innerType, in: input, options, element, items = [], shape, valueType } = definitionOf(schema)
  if (type === 'string') yield { name, type, with: put }
  if (type === 'number' || type === 'int') yield { name, type: 'number', with: put }
  for (const inner of [innerType ?? [], input ?? [], options ?? []].flat()) yield* leavesIn(inner, name, put)
  if (element !== undefined) yield* leavesIn(element, name, (value, beside) => put([value], beside))
  if (valueType !== undefined) yield* leavesIn(valueType, name, (value, beside) => put({ 1: value }, beside))
  for (const [index, item] of items.entries()) {
    const others = items.map(sampleOf)
    yield* leavesIn(item, name, (value, beside) => put(others.with(index, value), beside))
  }
  for (const [member, field] of Object.entries(shape ?? {})) {
    yield* leavesIn(field, member, (value, beside) =>
      put({ ...siblingInputs(shape ?? {}, beside), [member]: value }, beside),
    )
  }
}

function siblingInputs(shape: Readonly<Record<string, z.core.$ZodType>>, beside: SiblingValues): SiblingValues {
  return Object.fromEntries(
    Object.entries(shape)
      .map(([name, schema]) => {
        const wanted = beside[name]
        // Optional lists stay empty, so that they refer to nothing.
        const candidates = [...(wanted === undefined ? [] : [wanted, [wanted]]), undefined, [], sampleOf(schema)]
        return [name, candidates.find((one) => z.safeParse(schema, one).success)] as const
      })
      .filter(([, value]) => value !== undefined),
  )
}

export function kindsOf(endpoint: Endpoint, { name, type }: Leaf): readonly Kind[] | undefined {
  const here = `${endpoint.id}.${name}`
  const special = Object.hasOwn(names, here) ? names[here] : undefined
  if (special !== undefined) return [special].flat()
  if (type === 'number' && /^(can_\w+_group|new|old)$/.test(name)) return ['group']
  const kinds = Object.hasOwn(names, name) ? names[name] : undefined
  if (kinds !== undefined) return [kinds].flat()
  return Object.hasOwn(namesNothing, here) || Object.hasOwn(namesNothing, name) ? [] : undefined
}

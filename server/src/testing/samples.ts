import * as z from 'zod/mini'
import { capabilities } from '../capabilities.ts'
import type { Endpoint } from '../kernel/endpoint.ts'
import type { CapabilitySamples, Samples, Values } from './capability-samples.ts'
import { collect, mergeUnique } from './collect.ts'
import type { TestOrganization } from './server.ts'
import type { TestUser } from './user.ts'

export const collectedSamples = await collect<CapabilitySamples>('samples')

const inputs = mergeUnique(collectedSamples.map((samples) => samples.inputs))
for (const id of Object.keys(inputs)) {
  if (!capabilities.some(({ routes }) => routes.some(({ endpoint }) => endpoint.id === id))) {
    throw new Error(`no endpoint has the ID ${id} of these samples`)
  }
}

/** Creates one record of every kind. */
export async function samplesFor(organization: TestOrganization): Promise<Samples> {
  const { owner, user } = organization
  const other = await user('Sam Sample')
  // A capability needs only records of capabilities before it in the list.
  let samples = { user_id: other.id, email: other.email } as Samples
  for (const { make, makeOwn } of collectedSamples) {
    samples = { ...samples, ...(await make?.(organization, samples)) }
    samples = { ...samples, ...(await makeOwn?.(owner, samples)) }
  }
  return samples
}

/** Replaces the owner's private samples, which are useless to the user. */
export async function ownSamplesFor(user: TestUser, samples: Samples): Promise<Samples> {
  let own = samples
  for (const { makeOwn } of collectedSamples) own = { ...own, ...(await makeOwn?.(user, own)) }
  return own
}

function knownValues(samples: Samples): Values {
  return { ...samples, ...mergeUnique(collectedSamples.map(({ values }) => values?.(samples))) }
}

/** Returns values for parameters with several meanings, or optional ones that an endpoint needs. */
function endpointValues(endpoint: Endpoint, samples: Samples): Values {
  return (Object.hasOwn(inputs, endpoint.id) ? inputs[endpoint.id]?.(samples) : undefined) ?? {}
}

export function sampleValues(endpoint: Endpoint, samples: Samples): Record<string, unknown> {
  const candidates = { ...knownValues(samples), ...endpointValues(endpoint, samples) }
  return Object.fromEntries(
    Object.entries(endpoint.input.shape).map(([name, schema]) => {
      const value = Object.hasOwn(candidates, name) ? candidates[name] : undefined
      return [name, value !== undefined && z.safeParse(schema, value).success ? value : sampleOf(schema)]
    }),
  )
}

/** Returns required parameters, and parameters that keep a request from waiting. */
export function sampleInput(endpoint: Endpoint, samples: Samples): Record<string, unknown> {
  const values = sampleValues(endpoint, samples)
  const wanted = endpointValues(endpoint, samples)
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(wanted, name) || isRequired(endpoint, name)),
  )
}

export function isRequired(endpoint: Endpoint, name: string): boolean {
  const schema = endpoint.input.shape[name]
  return schema !== undefined && !z.safeParse(schema, undefined).success
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function samplePath(endpoint: Endpoint, samples: Samples): { path: string; query: URLSearchParams } {
  return pathOf(endpoint, sampleInput(endpoint, samples))
}

export function pathOf(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): { path: string; query: URLSearchParams } {
  const rest = new Map(Object.entries(input).map(([name, value]) => [name, asText(value)]))
  const path = endpoint.path.replace(/:(\w+)(\*?)/g, (_, name: string, takesRest: string) => {
    const value = rest.get(name) ?? ''
    rest.delete(name)
    return takesRest === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/')
  })
  const query = new URLSearchParams([...rest])
  // A webhook's parameters are in its URL, regardless of the method.
  return endpoint.isWebhook === true
    ? { path: `${path}?${query.toString()}`, query: new URLSearchParams() }
    : { path, query }
}

/** Zod's definitions are a union over all its classes; the tests read only these fields. */
interface SchemaDefinition {
  readonly type: string
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly items?: readonly z.core.$ZodType[]
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly options?: readonly z.core.$ZodType[]
  readonly valueType?: z.core.$ZodType
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
}

export function definitionOf(schema: z.core.$ZodType): SchemaDefinition {
  return schema._zod.def
}

export function sampleOf(schema: z.core.$ZodType): unknown {
  const definition = definitionOf(schema)
  const { innerType, in: input, element, options } = definition
  const inner = innerType ?? input ?? options?.[0]
  switch (definition.type) {
    case 'string':
      return 'sample'
    case 'number':
    case 'int':
      return 1
    case 'boolean':
      return false
    case 'literal':
      return definition.values?.[0]
    case 'enum':
      return Object.values(definition.entries ?? {})[0]
    case 'array':
      return element === undefined ? [] : [sampleOf(element)]
    case 'tuple':
      return (definition.items ?? []).map(sampleOf)
    case 'object':
      return Object.fromEntries(Object.entries(definition.shape ?? {}).map(([name, field]) => [name, sampleOf(field)]))
    case 'record':
      return {}
    default:
      return inner === undefined ? null : sampleOf(inner)
  }
}

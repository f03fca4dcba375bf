import type { Operation, Parameter } from './reference.ts'
import type { JsonSchema } from './schema.ts'

/* OpenAPI forbids paths that differ only in parameter names, so `/users/{user_id}` and `/users/{email}` are merged. */

export interface DocumentedOperation {
  readonly path: string
  readonly first: Operation
  readonly declared: readonly Operation[]
  readonly parameters: readonly Parameter[]
}

export function documentedOperations(operations: readonly Operation[]): DocumentedOperation[] {
  const byShape = groupBy(operations, ({ path }) => path.replace(/\{\w+\}/g, '{}'))
  return [...byShape.values()].flatMap((sharing) => {
    const path = sharedTemplate(sharing.map((operation) => operation.path))
    return [...groupBy(sharing, ({ method }) => method).values()].flatMap((declared) => {
      const [first] = declared
      if (first === undefined) return []
      const lists = declared.map((operation) => renamePathParameters(operation, path))
      return [{ path, first, declared, parameters: mergeParameters(lists) }]
    })
  })
}

function sharedTemplate(paths: readonly string[]): string {
  const split = paths.map((path) => path.split('/'))
  const [first = []] = split
  return first
    .map((segment, index) => {
      if (!segment.startsWith('{')) return segment
      const names = new Set(split.map((segments) => (segments[index] ?? '').replace(/[{}]/g, '')))
      return `{${[...names].join('_or_')}}`
    })
    .join('/')
}

function renamePathParameters({ path, parameters }: Operation, template: string): Parameter[] {
  const segments = template.split('/')
  const names = new Map(path.split('/').map((segment, index) => [segment, segments[index] ?? segment]))
  return parameters.map((parameter) => {
    if (parameter.place !== 'path') return parameter
    const name = names.get(`{${parameter.name}}`) ?? parameter.name
    return { ...parameter, name: name.replace(/[{}]/g, '') }
  })
}

/** Merges parameters; those missing or optional in one list become optional. */
function mergeParameters(lists: readonly (readonly Parameter[])[]): Parameter[] {
  return [...groupBy(lists.flat(), ({ name }) => name).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const required = first.place === 'path' || (same.length === lists.length && same.every((one) => one.required))
    return [{ ...first, required, schema: createUnion(same.map(({ schema }) => schema)) }]
  })
}

export function createUnion(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only] = distinct
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct }
}

/** Groups in order of first occurrence. (`Map.groupBy` requires Node 21.) */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

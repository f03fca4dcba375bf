import { API_PREFIX } from '../http/paths.ts'
import type { Operation, Parameter } from './reference.ts'
import type { JsonSchema } from './schema.ts'

export function curlExample({ method, path, parameters, login }: Operation): string {
  const examples = parameters.map((parameter) => ({ ...parameter, text: exampleText(parameter) }))
  const inPath = new Map(examples.filter(({ place }) => place === 'path').map(({ name, text }) => [name, text]))
  const fields = examples.filter(({ place, required }) => place !== 'path' && required)
  const url = API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? name)
  const isDefault = method === (fields.length === 0 ? 'GET' : 'POST')
  const first = [
    'curl',
    method === 'GET' && fields.length > 0 ? '-G' : isDefault ? '' : `-X ${method}`,
    login !== 'none' ? '-u "$EMAIL:$API_KEY"' : '',
    `"$PARLEY${url}"`,
  ]
  const lines = fields.map(({ name, text, file }) =>
    file === true ? `-F ${name}=@FILE` : `--data-urlencode ${shellQuoted(`${name}=${text}`)}`,
  )
  return [first.filter((part) => part !== '').join(' '), ...lines].join(' \\\n  ')
}

export function exampleText({ name, schema, json }: Pick<Parameter, 'name' | 'schema' | 'json'>): string {
  const value = exampleValue(name, schema)
  return typeof value === 'string' && !json ? value : JSON.stringify(value)
}

function exampleValue(name: string, schema: JsonSchema): unknown {
  const [given = schema.const ?? schema.enum?.[0] ?? schema.default] = schema.examples ?? []
  if (given !== undefined) return given
  const [option] = schema.anyOf ?? schema.oneOf ?? []
  if (option !== undefined) return exampleValue(name, option)
  if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => exampleValue(name, item))
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return typeof schema.items === 'object' ? [exampleValue(name.replace(/s$/, ''), schema.items)] : []
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([member]) => schema.required?.includes(member))
          .map(([member, memberSchema]) => [member, exampleValue(member, memberSchema)]),
      )
    default:
      return name.toUpperCase()
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

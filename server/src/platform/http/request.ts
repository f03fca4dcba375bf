import type { RawParameter, RawParameters } from '../../kernel/parameters.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ReceivedFile } from '../files/receive.ts'
import { bodyFields, formWithFile, hasBody, urlencodedFields, type Field, type FileLimits } from './body.ts'
import type { Exchange } from './exchange.ts'
import { neutralParameter } from './names.ts'
import { restParameter } from './paths.ts'

/** What a request says, by neutral names, and how it spelled them. */
export interface Received {
  readonly raw: RawParameters
  readonly spelling: ReadonlyMap<string, string>
  readonly file: ReceivedFile | undefined
}

/**
 * Path, body and query in one; what is more specific wins. At once where there is nothing to wait for.
 * @param body what has arrived already; a body that may hold a file has not
 */
export function received(
  { request, parameters, query }: Exchange,
  endpoint: Endpoint,
  body: Buffer | undefined,
  limits: FileLimits,
): Received | Promise<Received> {
  const path = Object.entries(parameters).map(([name, value]): Field => [
    name === '*' ? (restParameter(endpoint) ?? name) : name,
    value,
  ])
  if (path.some(([, value]) => value === '')) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
  const inQuery = urlencodedFields(query)
  const type = request.headers['content-type']
  if (body !== undefined) return bodyFields(type, body).then((fields) => named([inQuery, fields, path]))
  if (endpoint.file === undefined || !hasBody(request)) return named([inQuery, path])
  return formWithFile(type, request, limits, endpoint.file).then(({ fields, file }) =>
    named([inQuery, fields, path], file),
  )
}

/** Of parameters with the same name, the last counts. */
function named(sources: readonly (readonly Field[])[], file?: ReceivedFile): Received {
  // Without a prototype, so that any name is only a name.
  const raw = Object.create(null) as Record<string, RawParameter>
  const spelling = new Map<string, string>()
  for (const fields of sources) {
    for (const [name, value] of fields) {
      const [neutral, word] = neutralParameter(name, value)
      raw[neutral] = word
      spelling.set(neutral, name)
    }
  }
  return { raw, spelling, file }
}

import type { RawParameter, RawParameters } from '../../kernel/parameters.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ReceivedFile } from '../files/receive.ts'
import { bodyFields, formWithFile, hasBody, urlencodedFields, type Field, type FileLimits } from './body.ts'
import { lastEventField } from './event-stream.ts'
import type { Exchange } from './exchange.ts'
import { neutralName, neutralValue } from './names.ts'
import { restParameter } from './routing.ts'

export interface ReceivedParameters {
  readonly raw: RawParameters
  readonly spelling: ReadonlyMap<string, string>
  readonly file: ReceivedFile | undefined
}

/** Merges parameters of the query, body, path, and `Last-Event-ID`; later sources win. Synchronous if possible. */
export function receiveParameters(
  { request, address, asker, parameters, query }: Exchange,
  endpoint: Endpoint,
  body: Buffer | undefined,
  limits: FileLimits,
): ReceivedParameters | Promise<ReceivedParameters> {
  const path = [...pathFields(parameters, endpoint), ...lastEventField(request, endpoint)]
  const inQuery = urlencodedFields(query)
  if (endpoint.isWebhook === true) return mergeParameters([inQuery, path])
  const type = request.headers['content-type']
  if (body !== undefined) {
    const fields = bodyFields(type, body, asker)
    return fields instanceof Promise
      ? fields.then((parsed) => mergeParameters([inQuery, parsed, path]))
      : mergeParameters([inQuery, fields, path])
  }
  if (endpoint.file === undefined || !hasBody(request)) return mergeParameters([inQuery, path])
  return formWithFile(type, request, address, asker, limits, endpoint.file).then(({ fields, file }) =>
    mergeParameters([inQuery, fields, path], file),
  )
}

function pathFields(parameters: Readonly<Record<string, string>>, endpoint: Endpoint): Field[] {
  const fields: Field[] = []
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') throw new ApiError('NOT_FOUND', 'No such endpoint or file')
    fields.push([name === '*' ? (restParameter(endpoint) ?? name) : name, value])
  }
  return fields
}

function mergeParameters(sources: readonly (readonly Field[])[], file?: ReceivedFile): ReceivedParameters {
  const raw = new Map<string, RawParameter>()
  let spelling: Map<string, string> | undefined
  for (const fields of sources) {
    for (const [name, value] of fields) {
      const neutral = neutralName(name)
      raw.set(neutral, neutralValue(neutral, value))
      if (neutral === name && spelling === undefined) continue
      spelling ??= new Map()
      spelling.set(neutral, name)
    }
  }
  return { raw, spelling: spelling ?? NO_RENAMES, file }
}

const NO_RENAMES: ReadonlyMap<string, string> = new Map()

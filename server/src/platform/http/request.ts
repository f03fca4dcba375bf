import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { RawParameter, RawParameters } from '../../kernel/parameters.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ReceivedFile } from '../files/receive.ts'
import { bodyFields, formWithFile, urlencodedFields, type Field, type FileLimits } from './body.ts'
import { neutralParameter } from './names.ts'
import { restParameter } from './paths.ts'

/** What a request says, by neutral names, and how it spelled them. */
export interface Received {
  readonly raw: RawParameters
  readonly spelling: ReadonlyMap<string, string>
  readonly file: ReceivedFile | undefined
}

/** Path, body and query in one; what is more specific wins. At once where there is no body to wait for. */
export function received(
  request: FastifyRequest,
  endpoint: Endpoint,
  limits: FileLimits,
): Received | Promise<Received> {
  // The query parser hands the text through; the router decodes the path.
  const { text } = request.query as { text: string }
  const path = Object.entries(request.params as Record<string, string>).map(([name, value]): Field => [
    name === '*' ? (restParameter(endpoint) ?? name) : name,
    value,
  ])
  if (path.some(([, value]) => value === '')) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
  const inQuery = urlencodedFields(text)
  if (request.body === undefined) return named([inQuery, path])
  return form(request, endpoint, limits).then((body) => named([inQuery, body.fields, path], body.file))
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

async function form(
  request: FastifyRequest,
  endpoint: Endpoint,
  limits: FileLimits,
): Promise<{ fields: readonly Field[]; file: ReceivedFile | undefined }> {
  const type = request.headers['content-type']
  // What the body parser hands through: all bytes, or the body itself where it may hold a file.
  const body = request.body as Buffer | IncomingMessage
  if (Buffer.isBuffer(body)) return { fields: await bodyFields(type, body), file: undefined }
  if (endpoint.file === undefined) throw new Error(`${endpoint.id} takes no file`)
  return formWithFile(type, body, limits, endpoint.file)
}

import type { FastifyRequest } from 'fastify'
import type { RawParameter, RawParameters } from '../../kernel/parameters.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bodyFields, urlencodedFields, type Field } from './body.ts'
import { neutralParameter } from './names.ts'

/** What a request says, by neutral names, and how it spelled them. */
export interface Received {
  readonly raw: RawParameters
  readonly spelling: ReadonlyMap<string, string>
}

/** Path, body and query in one; what is more specific wins. */
export async function received(request: FastifyRequest): Promise<Received> {
  // The query parser hands the text through; the body parser hands the bytes through; the router decodes the path.
  const { text } = request.query as { text: string }
  const body = request.body as Buffer | undefined
  const path = Object.entries(request.params as Record<string, string>)
  if (path.some(([, value]) => value === '')) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
  const fields: readonly Field[] = [
    ...urlencodedFields(text),
    ...(body === undefined ? [] : await bodyFields(request.headers['content-type'], body)),
    ...path,
  ]
  // Without a prototype, so that any name is only a name.
  const raw = Object.create(null) as Record<string, RawParameter>
  const spelling = new Map<string, string>()
  for (const [name, value] of fields) {
    const [neutral, word] = neutralParameter(name, value)
    raw[neutral] = word
    spelling.set(neutral, name)
  }
  return { raw, spelling }
}

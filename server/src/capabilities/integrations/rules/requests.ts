import type * as z from 'zod/mini'
import { isLargeOrDeepJson } from '../../../kernel/excessive-json.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { parseMultipartFields } from '../../../platform/files/multipart.ts'
import type { ForeignRequest } from '../../../platform/request.ts'
import { MAX_ROUNDS, NullFiller } from './nulls.ts'
import { isGiven, known } from './text.ts'

/** What a service sent, and how the service is called. */
export interface ServiceRequest extends ForeignRequest {
  readonly displayName: string
  /** The text of the JSON that it brings. */
  readonly json: string
}

/** The fields of a form in which services send JSON. */
const FORM_FIELDS = ['payload', 'data']
const MAX_FORM_PARTS = 20

/**
 * Prepares a request to be read: its JSON is its body, or a field of a form.
 * @throws Refusal BAD_REQUEST for a malformed form
 */
export async function serviceRequest(foreign: ForeignRequest, displayName: string): Promise<ServiceRequest> {
  const fields = await formFieldsOf(foreign)
  const inForm = (): string => FORM_FIELDS.map((field) => fields?.get(field)).find(isGiven) ?? ''
  const json = fields === undefined ? foreign.body.toString('utf8') : inForm()
  return { ...foreign, displayName, json }
}

/** @returns undefined for a body that is no form */
async function formFieldsOf(foreign: ForeignRequest): Promise<ReadonlyMap<string, string> | undefined> {
  const contentType = headerOf(foreign, 'Content-Type')
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return new Map(new URLSearchParams(foreign.body.toString('utf8')))
    case 'multipart/form-data':
      return new Map(await parseMultipartFields(contentType, foreign.body, MAX_FORM_PARTS))
    default:
      return undefined
  }
}

/** A message about what a service tells, in Markdown. */
export interface ServiceMessage {
  /** The name of what happened, as the service has it; undefined for one that tells of one kind of thing. */
  readonly event?: string
  /** Is cut to what a topic may be. */
  readonly topic: string
  readonly content: string
}

/** A request as a service sends it, with which its address is tried. */
export interface SampleRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Is sent as JSON. */
  readonly body: object
}

/** How the requests of one service are read. */
export interface Integration {
  /**
   * @returns undefined where there is nothing to say
   * @throws Refusal by `unsupported`, `eventHeader` and `payloadOf`
   */
  readonly read: (request: ServiceRequest) => ServiceMessage | undefined
  /** Whether the service has signed a request with a secret; for services that do. */
  readonly isSigned?: (request: ServiceRequest, secret: string) => boolean
  /** The headers with which the service signs a request; for services that do. */
  readonly sign?: (body: string, secret: string) => Readonly<Record<string, string>>
  /** Of the event that is sent most. It becomes a message. */
  readonly sample: SampleRequest
}

/** What reads a request, by the event that it tells of; undefined where there is nothing to say. */
export type Readers = Readonly<Record<string, (request: ServiceRequest) => ServiceMessage | undefined>>

/** Reads a request by the name of its event. @throws Refusal UNSUPPORTED_WEBHOOK_EVENT_TYPE */
export function readBy(readers: Readers, event: string, request: ServiceRequest): ServiceMessage | undefined {
  const read = known(readers, event)
  if (read === undefined) throw unsupported(request, event)
  const message = read(request)
  return message && { ...message, event }
}

/** The value of a header; empty where it is missing. */
export function headerOf({ headers }: Pick<ForeignRequest, 'headers'>, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : ''
}

/**
 * The event that a service names in a header.
 * @param others names of the header in services that send the same
 * @throws Refusal MISSING_HTTP_EVENT_HEADER
 */
export function eventHeader(request: ServiceRequest, name: string, ...others: readonly string[]): string {
  const value = [name, ...others].map((header) => headerOf(request, header)).find((given) => given !== '')
  if (value !== undefined) return value
  throw new Refusal('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${name}'`)
}

/**
 * The JSON that a request brings: its body, or the field `payload` of a form.
 * @throws Refusal ANOMALOUS_WEBHOOK_PAYLOAD where it is not as the service sends it
 */
export function payloadOf<Schema extends z.ZodMiniType>(request: ServiceRequest, schema: Schema): z.output<Schema> {
  const payload = readPayload(request, schema)
  if (payload === undefined) throw anomalous(request)
  return payload
}

/**
 * Like `payloadOf`, for a schema that is one of several.
 * @returns undefined for JSON that is not as the schema has it
 */
export function readPayload<Schema extends z.ZodMiniType>(
  request: ServiceRequest,
  schema: Schema,
): z.output<Schema> | undefined {
  const payload = jsonIn(request)
  const filler = new NullFiller(payload, request.displayName)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const parsed = schema.safeParse(payload)
    if (parsed.success) return parsed.data
    if (!filler.fill(parsed.error.issues)) return undefined
  }
  return undefined
}

/** The documents of Jira have lists within tables within lists, each of which is four levels. */
const MAX_DEPTH = 64

function jsonIn(request: ServiceRequest): unknown {
  const { json } = request
  if (isLargeOrDeepJson(json, MAX_DEPTH)) throw anomalous(request)
  try {
    return JSON.parse(withoutNul(json))
  } catch {
    throw anomalous(request)
  }
}

/**
 * PostgreSQL stores no NUL. It is left out before anything is read: what is escaped is otherwise than what is stored, if it goes
 * from between two signs later.
 */
function withoutNul(json: string): string {
  return json.includes(NUL) ? json.replace(/\\(?:u0000|[^])/g, (escape) => (escape === NUL ? '' : escape)) : json
}

const NUL = String.raw`\u0000`

function anomalous({ displayName }: ServiceRequest): Refusal {
  const message = `Unable to parse request: did ${displayName} generate this event?`
  return new Refusal('ANOMALOUS_WEBHOOK_PAYLOAD', message, { webhook_name: displayName })
}

/** What a service is told of an event that no message is made of: it is answered as if all were well. */
export function unsupported({ displayName }: ServiceRequest, event: string): Refusal {
  const message = `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`
  return new Refusal('UNSUPPORTED_WEBHOOK_EVENT_TYPE', message, { webhook_name: displayName, event_type: event })
}

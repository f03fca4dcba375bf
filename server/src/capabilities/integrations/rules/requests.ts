import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { decodeUtf8 } from '../../../kernel/characters.ts'
import { isLargeOrDeepJson } from '../../../kernel/excessive-json.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { parseMultipartFields } from '../../../platform/files/multipart.ts'
import type { ShortNameSource } from '../../../platform/markdown/emoji/names.ts'
import type { ForeignRequest } from '../../../platform/request.ts'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'
import { MAX_FILL_ROUNDS, NullFiller } from './nulls.ts'
import { isGiven, lookUpWord } from './text.ts'

export interface ServiceRequest extends ForeignRequest {
  readonly displayName: string
  readonly json: string
}

const PAYLOAD_FORM_FIELDS = ['payload', 'data']
const MAX_FORM_PARTS = 20

/** Takes the JSON from the body or a form field. @throws ApiError BAD_REQUEST for a malformed form */
export async function serviceRequest(foreign: ForeignRequest, displayName: string): Promise<ServiceRequest> {
  const fields = await readFormFields(foreign)
  const inForm = (): string => PAYLOAD_FORM_FIELDS.map((field) => fields?.get(field)).find(isGiven) ?? ''
  const json = fields === undefined ? decodeUtf8(foreign.body) : inForm().replace(/^\uFEFF/, '')
  return { ...foreign, displayName, json }
}

async function readFormFields(foreign: ForeignRequest): Promise<ReadonlyMap<string, string> | undefined> {
  const contentType = headerOf(foreign, 'Content-Type')
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return new Map(new URLSearchParams(decodeUtf8(foreign.body)))
    case 'multipart/form-data':
      return new Map(await parseMultipartFields(contentType, foreign.body, MAX_FORM_PARTS))
    default:
      return undefined
  }
}

export interface ServiceMessage {
  /** The service's event name; undefined if it has only one event. */
  readonly event?: string
  readonly topic: string
  readonly content: string
}

export interface SampleRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

export interface Integration {
  /** Returns undefined if the event needs no message. */
  readonly read: (request: ServiceRequest) => ServiceMessage | undefined
  readonly isSigned?: (request: ServiceRequest, secret: string) => boolean
  readonly sign?: (body: string, secret: string) => Readonly<Record<string, string>>
  readonly emojiNames?: ShortNameSource
  readonly sample: SampleRequest
}

export type Readers = Readonly<Record<string, (request: ServiceRequest) => ServiceMessage | undefined>>

export function readEvent(readers: Readers, event: string, request: ServiceRequest): ServiceMessage | undefined {
  const read = lookUpWord(readers, event)
  if (read === undefined) throw unsupportedEventError(request, event)
  const message = read(request)
  return message && { ...message, event }
}

export function headerOf({ headers }: Pick<ForeignRequest, 'headers'>, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : ''
}

/** `others` are header names of compatible services. @throws ApiError MISSING_HTTP_EVENT_HEADER */
export function eventHeader(request: ServiceRequest, name: string, ...others: readonly string[]): string {
  const value = [name, ...others].map((header) => headerOf(request, header)).find((given) => given !== '')
  if (value !== undefined) return value
  throw new ApiError('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${name}'`)
}

/** @throws ApiError ANOMALOUS_WEBHOOK_PAYLOAD if the JSON does not match the schema */
export function payloadOf<Schema extends z.ZodMiniType>(request: ServiceRequest, schema: Schema): z.output<Schema> {
  const payload = readPayload(request, schema)
  if (payload === undefined) throw anomalousPayloadError(request)
  return payload
}

export function readPayload<Schema extends z.ZodMiniType>(
  request: ServiceRequest,
  schema: Schema,
): z.output<Schema> | undefined {
  const payload = parseRequestJson(request)
  if (!hasKnownFields(payload, schema)) return undefined
  const filler = new NullFiller(payload, request.displayName)
  for (let round = 0; round < MAX_FILL_ROUNDS; round += 1) {
    const parsed = schema.safeParse(payload)
    if (parsed.success) return parsed.data
    if (!filler.fill(parsed.error.issues)) return undefined
  }
  return undefined
}

/** Whether a payload has any of the schema's fields. Without this check, any payload would be accepted. */
function hasKnownFields(payload: unknown, schema: z.ZodMiniType): boolean {
  if (!(schema instanceof z.ZodMiniObject)) return true
  if (typeof payload !== 'object' || payload === null) return false
  return Object.keys(schema.shape).some((field) => Object.hasOwn(payload, field))
}

/** Jira documents nest lists in tables in lists, and each nesting takes four levels. */
const MAX_JSON_DEPTH = 64

function parseRequestJson(request: ServiceRequest): unknown {
  const { json } = request
  if (isLargeOrDeepJson(json, MAX_JSON_DEPTH)) throw anomalousPayloadError(request)
  try {
    return JSON.parse(removeNulCharacters(json))
  } catch {
    throw anomalousPayloadError(request)
  }
}

/** Removes NUL, which PostgreSQL cannot store. Removing it after mentions are escaped could undo the escaping. */
function removeNulCharacters(json: string): string {
  return json.includes(ESCAPED_NUL)
    ? json.replace(/\\(?:u0000|[^])/g, (escape) => (escape === ESCAPED_NUL ? '' : escape))
    : json
}

const ESCAPED_NUL = String.raw`\u0000`

function anomalousPayloadError({ displayName }: ServiceRequest): ApiError {
  const message = `Unable to parse request: did ${displayName} generate this event?`
  return new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', message, { webhook_name: displayName })
}

/** The status is 200, because the service would retry otherwise. */
export function unsupportedEventError({ displayName }: ServiceRequest, event: string): ApiError {
  const message = `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`
  return new ApiError('UNSUPPORTED_WEBHOOK_EVENT_TYPE', message, { webhook_name: displayName, event_type: event })
}

export function hmacOf(signed: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex')
}

export function isValidHmac(given: string, signed: string | Buffer, secret: string): boolean {
  return isSameSecret(given.toLowerCase(), hmacOf(signed, secret))
}

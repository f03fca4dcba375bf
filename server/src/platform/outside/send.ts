import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions as HttpsOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { chunksOf } from '../chunks.ts'
import { checkedAddresses, type CheckedAddress, type OutsideOptions } from './destinations.ts'
import { OutsideFailure, parseOutsideUrl, type OutsideRequest, type OutsideResponse } from './request.ts'

export const MAX_REDIRECTS = 3

/** Redirects that repeat the request unchanged; all others would drop a POST's body. */
const REPEATING_STATUSES = [307, 308]
const REDIRECT_STATUSES = [301, 302, 303, ...REPEATING_STATUSES]

export async function sendOutsideRequest(
  request: OutsideRequest,
  options: OutsideOptions,
  closing: AbortSignal,
): Promise<OutsideResponse> {
  const timeout = AbortSignal.timeout(request.mostSeconds * 1_000)
  const signal = AbortSignal.any([closing, timeout])
  try {
    return await sendFollowingRedirects(request, options, signal)
  } catch (error) {
    if (closing.aborted) throw new OutsideFailure('closing', 'the server is stopping', error)
    if (timeout.aborted)
      throw new OutsideFailure('time', `no response came within ${request.mostSeconds} seconds`, error)
    if (error instanceof OutsideFailure) throw error
    // Reports only the code: the message can contain text from the remote certificate or network.
    throw new OutsideFailure('connection', `the connection failed (${errorCode(error)})`, error)
  }
}

async function sendFollowingRedirects(
  request: OutsideRequest,
  options: OutsideOptions,
  signal: AbortSignal,
): Promise<OutsideResponse> {
  let url = parseOutsideUrl(request.url)
  for (let redirects = 0; ; redirects += 1) {
    const addresses = await checkedAddresses(url.hostname, options, signal)
    signal.throwIfAborted()
    const response = await sendWithoutRedirects(url, addresses, request, options, signal)
    const next = redirectTarget(response, url, request.method)
    if (next === undefined) return readResponse(response, url, request)
    response.destroy()
    if (redirects === MAX_REDIRECTS) throw new OutsideFailure('redirect', 'the address redirects too often')
    url = next
  }
}

function sendWithoutRedirects(
  url: URL,
  addresses: readonly CheckedAddress[],
  { method, headers, body }: OutsideRequest,
  { userAgent, certificates }: OutsideOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const settings: HttpsOptions = {
    method,
    signal,
    // Uses a new connection, because the address of an open connection was checked only for an earlier request.
    agent: false,
    lookup: pinAddresses(addresses),
    ...(certificates === undefined ? {} : { ca: certificates }),
    headers: {
      ...headers,
      'user-agent': userAgent,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  }
  return new Promise((resolve, reject) => {
    const sent = url.protocol === 'https:' ? httpsRequest(url, settings, resolve) : httpRequest(url, settings, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}

function pinAddresses(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

function redirectTarget(response: IncomingMessage, url: URL, method: OutsideRequest['method']): URL | undefined {
  const { location } = response.headers
  const statuses = method === 'GET' ? REDIRECT_STATUSES : REPEATING_STATUSES
  if (location === undefined || !statuses.includes(response.statusCode ?? 0)) return undefined
  if (!URL.canParse(location, url.href))
    throw new OutsideFailure('redirect', 'the address redirects to a malformed address')
  const next = parseOutsideUrl(new URL(location, url.href).href)
  // An encrypted request must not continue unencrypted.
  if (url.protocol === 'https:' && next.protocol !== 'https:') {
    throw new OutsideFailure('redirect', 'the address redirects to one without encryption')
  }
  return next
}

async function readResponse(
  response: IncomingMessage,
  url: URL,
  { mostBytes, takesBeginning = false }: OutsideRequest,
): Promise<OutsideResponse> {
  const { headers, statusCode = 0 } = response
  try {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new OutsideFailure('answer', 'the response is compressed without being asked for')
    }
    // Immediately rejects a declared length that is too long, unless the beginning is enough.
    if (!takesBeginning && Number(headers['content-length'] ?? 0) > mostBytes) throw tooLongError(mostBytes)
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of chunksOf(response)) {
      bytes += piece.length
      if (bytes > mostBytes && !takesBeginning) throw tooLongError(mostBytes)
      pieces.push(piece)
      if (bytes >= mostBytes && takesBeginning) break
    }
    const body = Buffer.concat(pieces).subarray(0, mostBytes)
    return { url: url.href, status: statusCode, headers: firstHeaderValues(headers), body }
  } finally {
    response.destroy()
  }
}

function firstHeaderValues(headers: IncomingMessage['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value[0] : value] as const,
  )
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

function tooLongError(mostBytes: number): OutsideFailure {
  return new OutsideFailure('answer', `the response is longer than ${mostBytes} bytes`)
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it was interrupted'
}

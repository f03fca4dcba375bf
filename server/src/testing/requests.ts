import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { parseObject } from './json.ts'
import { basic, callApi, type Answer, type Body, type TestUser } from './user.ts'

export type Fields = Readonly<Record<string, string>>

export const BOUNDARY = 'parley-test-boundary'
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export function multipart(fields: Fields, end = `--${BOUNDARY}--\r\n`): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return parts.join('') + end
}

export interface RequestParts {
  readonly type?: string
  readonly body?: string
  readonly query?: string
}

export const ENCODINGS = {
  query: (fields: Fields): RequestParts => ({ query: new URLSearchParams(fields).toString() }),
  form: (fields: Fields): RequestParts => ({
    type: 'application/x-www-form-urlencoded; charset=utf-8',
    body: new URLSearchParams(fields).toString(),
  }),
  multipart: (fields: Fields): RequestParts => ({ type: MULTIPART, body: multipart(fields) }),
  JSON: (fields: Fields): RequestParts => ({ type: 'application/json', body: JSON.stringify(fields) }),
} as const

export async function sendRequest(
  user: TestUser,
  method: string,
  path: string,
  sent: RequestParts = {},
): Promise<Answer> {
  const type = sent.type === undefined ? {} : { 'content-type': sent.type }
  const query = sent.query === undefined ? '' : `?${sent.query}`
  const headers = { authorization: basic(user.email, user.apiKey), ...type }
  const body = sent.body === undefined ? {} : { body: sent.body }
  return callApi(user.url, user.host, method, path + query, {}, { headers, ...body })
}

export function expectRefusal(answer: Answer, code: string, status = 400): void {
  expect(answer).toMatchObject({ status, body: { result: 'error', code } })
  expect(answer.body['msg']).toMatch(/\S/)
}

export async function exchangeBytes(url: string, bytes: string): Promise<{ status: number; body: Body }> {
  const answer = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), body: parseObject(body) }
}

export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
}

/** Disconnects after sending; resolves when the connection is closed. */
export async function sendAndDisconnect(url: string, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(bytes, () => socket.destroy())
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

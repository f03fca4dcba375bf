import { request } from 'node:http'
import { expect } from 'vitest'
import { UNREAD_TEXT_CONDITION } from '../capabilities/uploads/queries.ts'
import type { Parley } from '../start.ts'
import { checkAnswer, recordFile } from './contract-check.ts'
import { parseObject } from './json.ts'
import { BOUNDARY, MULTIPART } from './requests.ts'
import { basic, visibleHeaders, type Answer, type TestUser } from './user.ts'

export interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly type?: string
}

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export interface FetchedFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

export async function sendFiles(
  user: TestUser,
  path: string,
  files: readonly SentFile[],
  method = 'POST',
): Promise<Answer> {
  const parts = files.flatMap(({ name, content, type = '' }, index) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file${index}"; filename="${name}"\r\n` +
      `${type === '' ? '' : `content-type: ${type}\r\n`}\r\n`,
    content,
    '\r\n',
  ])
  const body = Buffer.concat([...parts, `--${BOUNDARY}--\r\n`].map((part) => Buffer.from(part)))
  const headers = { 'content-type': MULTIPART, authorization: basic(user.email, user.apiKey) }
  const answer = await exchangeFile(user, method, `/api/v1${path}`, headers, body)
  const parsed = parseObject(answer.bytes.toString('utf8'))
  checkAnswer(method, `/api/v1${path}`, answer.status, parsed)
  return { status: answer.status, headers: answer.headers, body: parsed }
}

/** @returns the file's URL */
export async function upload(user: TestUser, name: string, content: string | Uint8Array): Promise<string> {
  const { status, body } = await sendFiles(user, '/user_uploads', [{ name, content, type: 'application/octet-stream' }])
  if (status !== 200) throw new Error(`uploading ${name} was answered ${status}: ${JSON.stringify(body)}`)
  return String(body['url'])
}

/** Waits until the search finds the text of all linked files. */
export async function awaitFileTexts({ database: { pool } }: Parley): Promise<void> {
  const unread = `select from attachments where ${UNREAD_TEXT_CONDITION}`
  await expect.poll(async () => (await pool.query(unread)).rowCount, { timeout: 60_000 }).toBe(0)
}

export async function fetchAs(
  user: TestUser,
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<FetchedFile> {
  recordFile(method, url)
  return exchangeFile(user, method, url, { ...headers, authorization: basic(user.email, user.apiKey) })
}

export async function fetchUnauthenticated(
  user: TestUser,
  url: string,
  headers: Record<string, string> = {},
): Promise<FetchedFile> {
  return exchangeFile(user, 'GET', url, headers)
}

async function exchangeFile(
  { url, host }: TestUser,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<FetchedFile> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const options = { method, headers: { host, ...headers, ...length } }
    const sent = request(new URL(encodeURI(decodeURI(path)), url), options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: visibleHeaders(response.headers),
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

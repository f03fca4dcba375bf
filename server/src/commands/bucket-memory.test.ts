import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, useCommandLine } from '../testing/command-line.ts'
import { fetchAs, upload } from '../testing/files.ts'
import { parseObject } from '../testing/json.ts'
import { useProgram, type RunningProgram } from '../testing/program.ts'
import { BOUNDARY, MULTIPART, responseTo } from '../testing/requests.ts'
import { S3Server } from '../testing/s3-server.ts'
import { basic, type TestUser } from '../testing/user.ts'

const MEBIBYTE = 1024 * 1024
const commandLine = useCommandLine()
const program = useProgram()

let storage: S3Server
beforeAll(async () => {
  storage = await S3Server.start()
})
afterAll(async () => storage.close())

async function mostMemory({ processId }: RunningProgram): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** @returns the URL, and the SHA-256 of the sent bytes */
async function uploadLarge(user: TestUser, pieces: number): Promise<{ address: string; sha256: string }> {
  const headers = { host: user.host, authorization: basic(user.email, user.apiKey), 'content-type': MULTIPART }
  const sent = request(new URL('/api/v1/user_uploads', user.url), { method: 'POST', headers })
  const answered = responseTo(sent)
  sent.write(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`)
  const hash = createHash('sha256')
  for (let count = 0; count < pieces; count += 1) {
    const piece = randomBytes(MEBIBYTE)
    hash.update(piece)
    if (!sent.write(piece)) await once(sent, 'drain')
  }
  sent.end(`\r\n--${BOUNDARY}--\r\n`)
  const { url } = parseObject(await text(await answered))
  return { address: String(url), sha256: hash.digest('hex') }
}

async function sumOfDownload(user: TestUser, address: string): Promise<string> {
  const headers = { host: user.host, authorization: basic(user.email, user.apiKey) }
  const response = await responseTo(request(new URL(address, user.url), { headers }).end())
  const hash = createHash('sha256')
  response.on('data', (chunk: Buffer) => hash.update(chunk))
  await once(response, 'end')
  return hash.digest('hex')
}

it('streams a 200 MiB upload and download through a bucket in bounded memory', async () => {
  const parley = await commandLine()
  const environment = { ...OWNER_ENVIRONMENT, ...storage.environment('large'), PARLEY_MAX_FILE_UPLOAD_MIB: '300' }
  const real = await program(parley.settings)
  const server = await real.stay('start', environment)
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'], { environment })
  const owner = server.user('owner@localhost', key.trim())
  const address = await upload(owner, 'small', 'x')
  await fetchAs(owner, address)
  const before = await mostMemory(server)
  const large = await uploadLarge(owner, 200)
  expect(await sumOfDownload(owner, large.address)).toBe(large.sha256)
  const grown = (await mostMemory(server)) - before
  expect(grown).toBeLessThan(150 * MEBIBYTE)
  await server.stop()
})

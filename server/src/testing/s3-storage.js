/*
 * S3-compatible storage in a separate process, which tests kill. Written in JavaScript so that Node 20 can run it. The
 * storage accepts any request with a known key, so this wrapper verifies the signatures of requests and bodies.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import S3rver from 's3rver'

/** The only access key that the storage knows. */
const KEY_ID = 'S3RVER'

/** @type {{ port: number, directory: string, bucket: string, secret: string, mostBytes?: number, partsOfLife?: number, mostListed?: number }} */
const options = JSON.parse(process.argv[2] ?? '')
const storage = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: options.directory,
  configureBuckets: [{ name: options.bucket, configs: [] }],
})
const inner = await storage.run()
let parts = 0

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
process.on('message', (order) => {
  if (order === 'die') breakConnections()
  else server.listen(options.port, '127.0.0.1', () => process.send?.('listening'))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

/**
 * Breaks all connections immediately. Like real storage, finishes storing what it has received, although no client
 * learns of that: the process ends when everything is written. Killing it would leave parts of files.
 */
function breakConnections() {
  server.close()
  server.closeAllConnections()
  // The storage logs aborted requests, and would close its log too early. Its types lack `httpServer`.
  const { httpServer } = /** @type {{ httpServer: import('node:http').Server }} */ (/** @type {unknown} */ (storage))
  httpServer.removeAllListeners('close')
  void storage.close()
  process.removeAllListeners('disconnect')
  process.disconnect()
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const fault = faultOf(request, body)
  if (fault !== undefined) return refuse(response, fault)
  if (options.mostBytes !== undefined && body.length > options.mostBytes) return refuse(response, 'QuotaExceeded')
  if (request.url?.includes('partNumber=') && (parts += 1) > (options.partsOfLife ?? Infinity))
    return breakConnections()
  const { method, headers } = request
  const path = limitPage(request.url ?? '')
  const asked = send({ host: '127.0.0.1', port: inner.port, method, path, headers })
  asked.end(body)
  const [answered] = await once(asked, 'response')
  response.writeHead(answered.statusCode, answered.headers)
  answered.pipe(response)
  response.on('close', () => answered.destroy())
}

/** Limits the page size of a list request. @param {string} url */
function limitPage(url) {
  const isList = url.includes('list-type=2') && !url.includes('max-keys=')
  return isList && options.mostListed !== undefined ? `${url}&max-keys=${options.mostListed}` : url
}

/** @param {import('node:http').ServerResponse} response @param {string} code */
function refuse(response, code) {
  response.writeHead(403, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>It is refused.</Message></Error>`,
  )
}

/**
 * Verifies the signature (version 4) of a request, and returns the problem, if any.
 * @param {import('node:http').IncomingMessage} request
 * @param {Buffer} body
 */
function faultOf({ method, url = '', headers }, body) {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/((\d{8})\/([\w-]+)\/s3\/aws4_request), SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/
  const [, keyId, scope, day, region, names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? []
  if (keyId === undefined) return 'AccessDenied'
  if (keyId !== KEY_ID) return 'InvalidAccessKeyId'
  const digest = String(headers['x-amz-content-sha256'])
  if (digest !== createHash('sha256').update(body).digest('hex')) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = url.split('?')
  const sorted = query
    .split('&')
    .filter(Boolean)
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .toSorted()
    .join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const canonical = [method, path, sorted, lines.join(''), names, digest].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')]
  /** @type {Buffer | string} */
  let key = `AWS4${options.secret}`
  for (const part of [day, region, 's3', 'aws4_request'])
    key = createHmac('sha256', key)
      .update(part ?? '')
      .digest()
  const expected = createHmac('sha256', key).update(text.join('\n')).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

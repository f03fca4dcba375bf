import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type * as Library from '@aws-sdk/client-s3'
import {
  FileGoneError,
  StoreUnavailableError,
  requireValidKey,
  isKey,
  type ByteRange,
  type FileStore,
  type ListedFile,
  type StoreReport,
} from '../store.ts'
import { createFairQueue } from '../../turns.ts'
import { describeAddress, type S3Address } from './address.ts'
import { translateFailure } from './failures.ts'
import { readResuming, type OpenedPart } from './reading.ts'

const MEBIBYTE = 1024 * 1024
const PART_BYTES = 8 * MEBIBYTE
const MAX_PARTS = 10_000
const PARTS_AT_ONCE = 4
/** Enough for several uploads of the maximum size. */
const MAX_WAITING_PARTS = 100_000
const REMOVALS_AT_ONCE = 8
/** ASCII character that follows the slash. */
const CHARACTER_AFTER_SLASH = '0'
const CONNECT_TIMEOUT_MILLISECONDS = 3_000
const ANSWER_TIMEOUT_MILLISECONDS = 10_000
const PART_TIMEOUT_MILLISECONDS = 60_000
const IDLE_TIMEOUT_MILLISECONDS = 20_000
const MAX_ATTEMPTS = 3
/** Each client that fetches a file occupies one connection. */
const MAX_CONNECTIONS = 1_000

export interface S3Options {
  readonly address: S3Address
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly incoming: string
  readonly answerMilliseconds?: number
  readonly silenceMilliseconds?: number
}

export function s3Store(options: S3Options): FileStore {
  return new S3Store(options)
}

interface LoadedClient {
  readonly library: typeof Library
  readonly client: Library.S3Client
}

type StoreOperation<Result> = (loaded: LoadedClient, request: { readonly abortSignal: AbortSignal }) => Promise<Result>

class S3Store implements FileStore {
  readonly place: string
  readonly incoming: string
  readonly #address: S3Address
  readonly #options: S3Options
  readonly #inTurn = createFairQueue(PARTS_AT_ONCE, MAX_WAITING_PARTS, () => {
    throw new StoreUnavailableError('too many files are being sent to the store')
  })
  #loading: Promise<LoadedClient> | undefined
  #isReached = true
  #requests = 0
  #failures = 0

  constructor(options: S3Options) {
    this.#options = options
    this.#address = options.address
    this.place = describeAddress(options.address)
    this.incoming = options.incoming
  }

  get report(): StoreReport {
    return { kind: 's3', isReached: this.#isReached, requests: this.#requests, failures: this.#failures }
  }

  async failure(): Promise<string | undefined> {
    try {
      await this.#checkAccess()
      return undefined
    } catch (error) {
      if (error instanceof StoreUnavailableError) return error.message
      throw error
    }
  }

  async put(key: string, path: string): Promise<void> {
    const { size } = await stat(path)
    const file = await open(path)
    try {
      if (size > PART_BYTES) await this.#putParts(key, file, size)
      else await this.#inTurn(async () => this.write(key, await readPart(file, 0, size)))
    } finally {
      await file.close()
    }
    await rm(path, { force: true })
  }

  async write(key: string, bytes: Uint8Array): Promise<void> {
    await this.#ask(async ({ library: { PutObjectCommand }, client }, request) => {
      const input = { ...this.#object(key), Body: bytes, ContentLength: bytes.length }
      return client.send(new PutObjectCommand(input), request)
    }, PART_TIMEOUT_MILLISECONDS)
  }

  /** Uploads a file in parts. An incomplete file is never visible. */
  async #putParts(key: string, file: FileHandle, size: number): Promise<void> {
    const object = this.#object(key)
    const { UploadId } = await this.#ask(async ({ library: { CreateMultipartUploadCommand }, client }, request) =>
      client.send(new CreateMultipartUploadCommand(object), request),
    )
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
    let failed: { readonly error: unknown } | undefined
    const send = async (index: number): Promise<Library.CompletedPart> => {
      if (failed !== undefined) throw failed.error
      const begin = index * partBytes
      const Body = await readPart(file, begin, Math.min(partBytes, size - begin))
      const input = { ...object, UploadId, PartNumber: index + 1, Body, ContentLength: Body.length }
      const { ETag } = await this.#ask(
        async ({ library: { UploadPartCommand }, client }, request) =>
          client.send(new UploadPartCommand(input), request),
        PART_TIMEOUT_MILLISECONDS,
      )
      return { PartNumber: index + 1, ...(ETag === undefined ? {} : { ETag }) }
    }
    const sending = Array.from({ length: Math.ceil(size / partBytes) }, async (_, index) =>
      this.#inTurn(async () => send(index)).catch((error: unknown) => {
        failed ??= { error }
        throw error
      }),
    )
    try {
      const Parts = await Promise.all(sending)
      await this.#ask(
        async ({ library: { CompleteMultipartUploadCommand }, client }, request) =>
          client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }), request),
        PART_TIMEOUT_MILLISECONDS,
      )
    } catch (error) {
      await Promise.allSettled(sending)
      // If the abort fails too, the bucket's lifecycle rule for incomplete uploads removes the parts.
      await this.#ask(async ({ library: { AbortMultipartUploadCommand }, client }, request) =>
        client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), request),
      ).catch(() => undefined)
      throw error
    }
  }

  async size(key: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.#ask(async ({ library: { HeadObjectCommand }, client }, request) =>
        client.send(new HeadObjectCommand(this.#object(key)), request),
      )
      return ContentLength
    } catch (error) {
      // A response to HEAD gives no reason, so a list request finds out the reason.
      if (error instanceof FileGoneError || (error instanceof StoreUnavailableError && error.isRefusal))
        await this.#checkAccess()
      if (error instanceof FileGoneError) return undefined
      throw error
    }
  }

  read(key: string, range?: ByteRange): Readable {
    const object = this.#object(key)
    return readResuming(
      async (part, etag, signal) => {
        const Range = part === undefined ? undefined : `bytes=${part.start}-${part.end ?? ''}`
        return this.#ask(
          async ({ library: { GetObjectCommand }, client }, request) => {
            const input = {
              ...object,
              ...(Range === undefined ? {} : { Range }),
              ...(etag === undefined ? {} : { IfMatch: etag }),
            }
            return openPart(await client.send(new GetObjectCommand(input), request))
          },
          undefined,
          signal,
        )
      },
      range,
      this.#options.silenceMilliseconds ?? IDLE_TIMEOUT_MILLISECONDS,
    )
  }

  async remove(key: string): Promise<void> {
    try {
      await this.#ask(async ({ library: { DeleteObjectCommand }, client }, request) =>
        client.send(new DeleteObjectCommand(this.#object(key)), request),
      )
    } catch (error) {
      if (!(error instanceof FileGoneError)) throw error
    }
  }

  async *list(): AsyncGenerator<ListedFile> {
    yield* this.#listBelow('')
  }

  async removeOrganization(organizationId: number): Promise<void> {
    let keys: string[] = []
    const removeAll = async (): Promise<void> => {
      await Promise.all(keys.map(async (key) => this.remove(key)))
      keys = []
    }
    for await (const kind of this.#kinds()) {
      for await (const { key } of this.#listBelow(`${kind}/${organizationId}/`)) {
        keys.push(key)
        if (keys.length >= REMOVALS_AT_ONCE) await removeAll()
      }
      await removeAll()
    }
  }

  close(): void {
    this.#loading?.then(({ client }) => client.destroy()).catch(() => undefined)
  }

  async *#listBelow(below: string): AsyncGenerator<ListedFile> {
    for await (const page of this.#pages(below)) {
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const key = Key.slice(this.#address.prefix.length)
        if (isKey(key)) yield { key, size: Size, storedAt: Math.floor((LastModified?.getTime() ?? 0) / 1000) }
      }
    }
  }

  async *#pages(below: string): AsyncGenerator<Library.ListObjectsV2CommandOutput> {
    let ContinuationToken: string | undefined
    do {
      const page = await this.#page(below, ContinuationToken === undefined ? {} : { ContinuationToken })
      yield page
      ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
  }

  /** Lists the first segments of keys. Keys are sorted, so each request skips the remaining keys of a segment. */
  async *#kinds(): AsyncGenerator<string> {
    const { prefix } = this.#address
    for (let after = ''; ;) {
      const page = await this.#page('', { MaxKeys: 1, ...(after === '' ? {} : { StartAfter: prefix + after }) })
      const kind = page.Contents?.[0]?.Key?.slice(prefix.length).split('/', 1)[0]
      if (kind === undefined) return
      yield kind
      after = `${kind}${CHARACTER_AFTER_SLASH}`
    }
  }

  async #checkAccess(): Promise<void> {
    await this.#page('', { MaxKeys: 1 })
  }

  async #page(
    below: string,
    more: Partial<Library.ListObjectsV2CommandInput>,
  ): Promise<Library.ListObjectsV2CommandOutput> {
    const input = { Bucket: this.#address.bucket, Prefix: `${this.#address.prefix}${below}`, ...more }
    return this.#ask(async ({ library: { ListObjectsV2Command }, client }, request) =>
      client.send(new ListObjectsV2Command(input), request),
    )
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#address.bucket, Key: `${this.#address.prefix}${requireValidKey(key)}` }
  }

  /** @throws StoreUnavailableError, StoreFullError, or FileGoneError */
  async #ask<Result>(
    work: StoreOperation<Result>,
    milliseconds = this.#options.answerMilliseconds ?? ANSWER_TIMEOUT_MILLISECONDS,
    closed?: AbortSignal,
  ): Promise<Result> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), milliseconds)
    const abortSignal = closed === undefined ? deadline.signal : AbortSignal.any([deadline.signal, closed])
    this.#requests += 1
    try {
      const result = await work(await this.#load(), { abortSignal })
      this.#isReached = true
      return result
    } catch (error) {
      const failure = translateFailure(error, this.#address)
      if (closed?.aborted !== true) {
        this.#isReached = !(failure instanceof StoreUnavailableError)
        if (!this.#isReached) this.#failures += 1
      }
      throw failure
    } finally {
      clearTimeout(timer)
    }
  }

  async #load(): Promise<LoadedClient> {
    this.#loading ??= loadClient(this.#options)
    return this.#loading
  }
}

async function loadClient({ address, credentials }: S3Options): Promise<LoadedClient> {
  // Suppresses the library's startup warning about Node 20, which Parley supports.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const library = await import('@aws-sdk/client-s3')
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  const client = new library.S3Client({
    region: address.region,
    ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint }),
    forcePathStyle: address.isPathStyle,
    credentials,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MILLISECONDS, httpAgent: agent, httpsAgent: agent },
    // The request signature already includes a SHA-256 checksum; many stores do not support other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { library, client }
}

function openPart({ Body, ContentLength, ContentRange, ETag }: Library.GetObjectCommandOutput): OpenedPart {
  if (!(Body instanceof Readable) || ContentLength === undefined)
    throw new StoreUnavailableError('the storage sent no file')
  const [, start = '0'] = /^bytes (\d+)-/.exec(ContentRange ?? '') ?? []
  return { body: Body, start: Number(start), length: ContentLength, etag: ETag }
}

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) throw new Error('a file became shorter while it was read')
    filled += bytesRead
  }
  return bytes
}

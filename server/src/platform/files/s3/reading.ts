import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunksOf } from '../../chunks.ts'
import { FileGoneError, StoreUnavailableError, type ByteRange } from '../store.ts'

export interface OpenedPart {
  readonly body: Readable
  readonly start: number
  readonly length: number
  /** Differs if the file was replaced between two requests. */
  readonly etag: string | undefined
}

export type OpenPart = (
  range: { readonly start: number; readonly end: number | undefined } | undefined,
  etag: string | undefined,
  signal: AbortSignal,
) => Promise<OpenedPart>

/** Maximum number of consecutive attempts that receive no bytes. */
const MAX_ATTEMPTS = 4
const RETRY_DELAY_MILLISECONDS = 250

/** Reads a file; resumes if the store drops an idle connection. `silenceMilliseconds`: limit for each chunk. */
export function readResuming(open: OpenPart, range: ByteRange | undefined, silenceMilliseconds: number): Readable {
  const out = new PassThrough()
  const closed = new AbortController()
  out.once('close', () => closed.abort())
  pipeResuming(open, range, out, { signal: closed.signal, silenceMilliseconds }).catch((error: unknown) => {
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return out
}

async function pipeResuming(
  open: OpenPart,
  range: ByteRange | undefined,
  out: PassThrough,
  { signal, silenceMilliseconds }: { readonly signal: AbortSignal; readonly silenceMilliseconds: number },
): Promise<void> {
  let at = range?.start ?? 0
  let end = range === undefined ? undefined : range.end + 1
  let etag: string | undefined
  for (let attempt = 1; end === undefined || at < end; attempt += 1) {
    try {
      const isWhole = range === undefined && at === 0
      const part = await open(isWhole ? undefined : { start: at, end: end === undefined ? end : end - 1 }, etag, signal)
      etag ??= part.etag
      end ??= at + part.length
      if (part.start !== at) throw new StoreUnavailableError('the storage sent a different part than requested')
      for await (const chunk of readPieces(part.body, silenceMilliseconds)) {
        const requested = chunk.subarray(0, end - at)
        at += requested.length
        attempt = 0
        if (!out.write(requested)) await once(out, 'drain', { signal })
        if (at === end) break
      }
      if (at < end) throw new StoreUnavailableError('the storage closed the connection')
    } catch (error) {
      const hasBegun = at > (range?.start ?? 0)
      if (signal.aborted || error instanceof FileGoneError || !hasBegun || attempt >= MAX_ATTEMPTS) throw error
      await sleep(RETRY_DELAY_MILLISECONDS * attempt, undefined, { signal })
    }
  }
  out.end()
}

async function* readPieces(body: Readable, silenceMilliseconds: number): AsyncGenerator<Buffer> {
  const pieces = chunksOf(body)
  try {
    for (;;) {
      const timer = setTimeout(
        () => body.destroy(new StoreUnavailableError('the storage stopped sending')),
        silenceMilliseconds,
      )
      const piece = await pieces.next().finally(() => clearTimeout(timer))
      if (piece.done === true) return
      yield piece.value
    }
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(`the storage closed the connection: ${error instanceof Error ? error.message : ''}`)
  } finally {
    body.destroy()
  }
}

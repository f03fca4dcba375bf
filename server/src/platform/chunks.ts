import { Writable } from 'node:stream'

/** Yields the chunks of a stream without an encoding. Destroys the stream if the caller stops early. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the stream has an encoding')
    yield chunk
  }
  return undefined
}

/** A library's writable stream, which is not a Node stream. */
interface ForeignStream {
  write(chunk: Buffer): boolean
  end(last: undefined): unknown
  destroy(error: Error): void
  once(event: 'drain' | 'finish' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Returns a Node stream that writes at the target's speed, and fails if the target fails. */
export function toNodeWritable(target: ForeignStream): Writable {
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (target.write(chunk)) done()
      else target.once('drain', () => done())
    },
    final(done) {
      target.once('finish', () => done())
      target.end(undefined)
    },
    destroy(error, done) {
      if (error !== null) target.destroy(error)
      done(error)
    },
  })
  target.on('error', (error) => writable.destroy(error))
  target.once('close', () => writable.destroy())
  return writable
}

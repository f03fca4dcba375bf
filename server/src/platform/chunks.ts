/** Yields the chunks of a stream without an encoding. Destroys the stream if the caller stops early. */
export async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the stream has an encoding')
    yield chunk
  }
  return undefined
}

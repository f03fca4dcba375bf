import { createRequire } from 'node:module'
import type * as Library from '@fastify/busboy'

const load = createRequire(import.meta.url)

/** A parser of multipart bodies. Its library waits for the first of them, since it would cost every start 8 ms. */
export function multipartParser(config: Library.BusboyConfig): InstanceType<typeof Library.Busboy> {
  // The library is loaded at once and not by import(): parts of the body that arrive before the parser listens would
  // be lost.
  const { Busboy } = load('@fastify/busboy') as typeof Library
  return new Busboy(config)
}

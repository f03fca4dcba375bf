import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { Complaint, isErrorWithCode } from './command.ts'

type Address = Pick<Config, 'HOST' | 'PORT'>

/** Checks the port before creating anything that only a server needs. */
export async function requireFreePort(config: Address): Promise<void> {
  const probe = createServer().listen({ host: config.HOST, port: config.PORT })
  await orCannotListen(once(probe, 'listening'), config)
  await once(probe.close(), 'close')
}

export async function orCannotListen<Result>(listening: Promise<Result>, { HOST, PORT }: Address): Promise<Result> {
  try {
    return await listening
  } catch (error) {
    if (!isErrorWithCode(error, ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])) throw error
    throw new Complaint(`Cannot listen on HOST and PORT ${HOST}:${PORT}: ${error.message}`, { cause: error })
  }
}

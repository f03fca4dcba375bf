import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '../kernel/endpoint.ts'
import { ApiError, type ErrorCode } from '../kernel/refusal.ts'
import { open, type Route } from '../platform/capability.ts'
import type { ServerFacts } from '../platform/server-facts.ts'
import { createListener, type Listener } from '../platform/http/listener.ts'
import { createHttpServer, type HttpOptions } from '../platform/http/server.ts'
import type { OrganizationLog } from '../platform/log/organization-log.ts'

/** The only part of the log that the HTTP layer uses. */
const ORGANIZATION = { organization: { organizationId: 1 } } as unknown as OrganizationLog

export function useHttpServers(): (routes: readonly Route[], options?: Partial<HttpOptions>) => Listener {
  let listeners: Listener[] = []
  afterEach(async () => {
    await Promise.all(listeners.map(async (listener) => listener.close()))
    listeners = []
  })
  return (routes, options = {}) => {
    const { logger = pino({ level: 'silent' }) } = options
    const listener = createHttpServer({
      listener: createListener(logger),
      routes,
      facts: {} as unknown as ServerFacts,
      apiNames: 'neutral',
      checkAnswers: true,
      trustProxy: false,
      isSecure: false,
      logger,
      deadlineSeconds: 30,
      reads: { rows: async () => Promise.resolve([]), aside: () => ({ rows: async () => Promise.resolve([]) }) },
      replicas: undefined,
      shared: false,
      isCurrent: () => true,
      useLogAt: (_host, work) => work(ORGANIZATION),
      openLogAt: () => ORGANIZATION,
      authentication: {
        parseClaim: (username, _apiKey, client) => ({ username, keyDigest: Buffer.alloc(0), client }),
        isDeactivated: () => false,
        admitsSpectators: () => false,
        createBotClaim: (_apiKey, client) => ({ botKeyDigest: Buffer.alloc(0), client }),
        parseTokenClaim: () => undefined,
        parseSessionClaim: (_cookie, client) => ({ sessionId: 0, secretDigest: Buffer.alloc(0), client }),
        recordUse: () => undefined,
        actorOf: () => {
          throw new ApiError('INVALID_API_KEY', 'Invalid API key')
        },
      },
      limits: undefined,
      fileLimits: { folder: '/nonexistent', maxMebibytes: { upload: 1, picture: 1 } },
      fileRoutes: [],
      pageRoutes: [],
      gateways: [],
      pages: [],
      showPage: async () => Promise.reject(new Error('no pages')),
      ...options,
    })
    listeners.push(listener)
    return listener
  }
}

export const ANY_PORT = { host: '127.0.0.1', port: 0 }

export function exampleRoute(handle: () => Promise<object>, errors: readonly ErrorCode[] = []): Route {
  const example = endpoint({
    id: 'example',
    method: 'GET',
    path: '/example',
    summary: 'An example.',
    since: 0,
    authentication: 'none',
    input: z.object({}),
    output: z.object({ text: z.optional(z.string()) }),
    errors,
  })
  return open(example, handle)
}

export function createSignal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

export async function connectTo(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

export async function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}

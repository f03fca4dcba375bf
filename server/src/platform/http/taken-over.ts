import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Refusal } from '../../kernel/refusal.ts'
import type { PollAnswer } from '../queues/queue.ts'
import { ANSWER_HEADERS } from './headers.ts'
import { onWire, type ApiNames } from './names.ts'

const COMMON_HEADERS = Object.entries(ANSWER_HEADERS).flat()

/**
 * An answer that is written when its time has come, without the framework. Ten thousand may wait: it holds nothing of
 * the request but the response.
 */
export class TakenOver implements PollAnswer {
  readonly #raw: ServerResponse
  readonly #headers: Readonly<Record<string, string>>
  readonly #apiNames: ApiNames
  readonly #ignored: readonly string[]

  constructor(reply: FastifyReply, apiNames: ApiNames, ignored: readonly string[]) {
    reply.hijack()
    this.#raw = reply.raw
    // Set by this layer alone, one of a kind.
    this.#headers = reply.getHeaders() as Record<string, string>
    this.#apiNames = apiNames
    this.#ignored = ignored
  }

  success(fields: string): void {
    const ignored = this.#ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(this.#ignored)}` : ''
    this.#write(200, `{"result":"success","msg":"",${fields}${ignored}}`)
  }

  refuse(refusal: Refusal): void {
    this.#write(refusal.status, JSON.stringify(refusal.envelope()))
  }

  onClose(callback: () => void): void {
    this.#raw.on('close', callback)
  }

  #write(status: number, text: string): void {
    if (this.#raw.writableEnded) return
    const body = onWire(this.#apiNames, text)
    // Names and values in turn are what costs Node least.
    const headers = [...COMMON_HEADERS, 'content-length', String(Buffer.byteLength(body))]
    for (const [name, value] of Object.entries(this.#headers)) if (!(name in ANSWER_HEADERS)) headers.push(name, value)
    this.#raw.writeHead(status, headers)
    this.#raw.end(this.#raw.req.method === 'HEAD' ? undefined : body)
  }
}

import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { payloadOf, type Integration } from './requests.ts'
import { isGiven, lookUpWord, link, toSingleLine, plainText, quotePlainText } from './text.ts'

const payload = z.object({
  msg: string,
  /** Missing in the test message and for expiring certificates. */
  heartbeat: z.optional(
    z.nullable(
      z.object({ status: z.number(), msg: z.optional(z.nullable(string)), ping: z.optional(z.nullable(z.number())) }),
    ),
  ),
  monitor: z.optional(z.nullable(z.object({ name: string, url: z.optional(z.nullable(string)) }))),
})

const SAMPLE_PAYLOAD: z.input<typeof payload> = {
  heartbeat: { status: 1, msg: 'This is a test', ping: 42 },
  monitor: { name: 'A test of the connection', url: 'https://status.example/' },
  msg: '[A test of the connection] [Up] This is a test',
}

const STATUS_TEXTS: Readonly<Record<string, readonly [event: string, sign: string, words: string]>> = {
  0: ['down', '🔥', 'is down'],
  1: ['up', '✅', 'is up'],
  2: ['pending', '⏳', 'is not responding yet'],
  3: ['maintenance', '🔧', 'is under maintenance'],
}

export const integration: Integration = {
  read(request) {
    const { msg, heartbeat, monitor } = payloadOf(request, payload)
    const state = lookUpWord(STATUS_TEXTS, String(heartbeat?.status))
    if (state === undefined || !isGiven(monitor))
      return { event: 'notice', topic: 'Uptime Kuma', content: plainText(msg, 1_000) || 'Nothing was said.' }
    const [event, sign, words] = state
    const ping = isGiven(heartbeat?.ping) && event === 'up' ? ` (${Math.round(heartbeat.ping)} ms)` : ''
    const said = event === 'up' ? '' : quotePlainText(heartbeat?.msg ?? msg)
    return {
      event,
      topic: toSingleLine(monitor.name),
      content: `${sign} ${link(monitor.name, monitor.url)} ${words}${ping}.${said}`,
    }
  },
  sample: { body: SAMPLE_PAYLOAD },
}

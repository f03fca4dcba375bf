import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { escapeBlock } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { codeBlock } from './text.ts'

const message = z.object({ content: string.check(z.regex(/\S/)), topic: z.optional(z.nullable(string)) })

/** Posts `content` (Markdown) with `topic`; other JSON becomes a code block. */
export const integration: Integration = {
  read(request) {
    const payload = payloadOf(request, z.unknown())
    const own = message.safeParse(payload)
    if (own.success) return { topic: own.data.topic ?? 'JSON', content: escapeBlock(own.data.content) }
    return { topic: 'JSON', content: codeBlock(JSON.stringify(payload, undefined, 2), 'json') }
  },
  sample: { body: { topic: 'A test of the connection', content: 'This is a **test**.' } },
}

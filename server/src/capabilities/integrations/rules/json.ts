import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { harmlessBlock } from './harmless.ts'
import { payloadOf, type Integration } from './requests.ts'
import { block } from './text.ts'

/** Message from a custom script. */
const message = z.object({ content: string.check(z.regex(/\S/)), topic: z.optional(z.nullable(string)) })

/** Arbitrary JSON: `content` (Markdown) and `topic` form a message; anything else is posted as a code block. */
export const json: Integration = {
  read(request) {
    const payload = payloadOf(request, z.unknown())
    const own = message.safeParse(payload)
    if (own.success) return { topic: own.data.topic ?? 'JSON', content: harmlessBlock(own.data.content) }
    return { topic: 'JSON', content: block(JSON.stringify(payload, undefined, 2), 'json') }
  },
  sample: { body: { topic: 'A test of the connection', content: 'This is a **test**.' } },
}

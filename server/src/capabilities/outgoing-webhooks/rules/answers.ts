import * as z from 'zod/mini'
import { isBlank } from '../../../kernel/characters.ts'
import { isExcessiveJson } from '../../../kernel/excessive-json.ts'
import { boolean, string } from '../../../kernel/schemas.ts'
import { isPassingStatus, type OutsideResponse } from '../../../platform/outside/request.ts'
import { markdownOfSlack } from '../../../platform/markdown/slack.ts'
import { messageContent } from '../../messages/contract/index.ts'
import { PAYLOAD_INTERFACE, type BotService } from '../../users/contract/index.ts'

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'reply'; readonly content: string; readonly widget: string | undefined }
  /** A retry may succeed. */
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

const storable = messageContent.check(
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), { message: 'contains invalid characters' }),
)

const genericAnswer = z.object({
  content: z.optional(storable),
  /** Former name of `content`. */
  response_string: z.optional(storable),
  response_not_required: z.optional(boolean),
  widget_content: z.optional(string),
})
const slackAnswer = z.object({ text: z.optional(storable) })

export function outcomeOf({ status, body }: OutsideResponse, service: BotService): Outcome {
  const reason = `its answer had the status ${status}`
  if (isPassingStatus(status)) return { kind: 'again', reason }
  if (status < 200 || status >= 300) return { kind: 'failed', reason }
  const text = body.toString('utf8')
  if (isBlank(text)) return { kind: 'done' }
  const value = parseJson(text)
  if (value === undefined) return { kind: 'failed', reason: 'its answer is not JSON' }
  return service.interface === PAYLOAD_INTERFACE.slack ? saidToSlack(value) : readReply(value)
}

function readReply(value: unknown): Outcome {
  const answer = genericAnswer.safeParse(value)
  if (!answer.success) return wrong(answer.error)
  const { content, response_string, response_not_required, widget_content } = answer.data
  const text = content ?? response_string ?? ''
  if (response_not_required === true || isBlank(text)) return { kind: 'done' }
  return { kind: 'reply', content: text, widget: widget_content }
}

function saidToSlack(value: unknown): Outcome {
  const answer = slackAnswer.safeParse(value)
  if (!answer.success) return wrong(answer.error)
  const { text = '' } = answer.data
  return isBlank(text) ? { kind: 'done' } : { kind: 'reply', content: markdownOfSlack(text), widget: undefined }
}

function wrong(error: z.core.$ZodError): Outcome {
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? ''
  return {
    kind: 'failed',
    reason: field === '' ? 'its response is not a JSON object' : `its response has an invalid field ${field}`,
  }
}

function parseJson(text: string): unknown {
  if (isExcessiveJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

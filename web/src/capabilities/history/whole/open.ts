import { signal } from '@preact/signals'
import { conversationOf, type Conversation } from '../../../kernel/route.ts'
import { shown } from '../../../platform/router.ts'

/** What can be made of a whole conversation. */
export const FORMS = ['copy', 'markdown', 'html', 'print'] as const
export type Form = (typeof FORMS)[number]

interface Request {
  readonly conversation: Conversation
  /** What is made of it at once; undefined where one chooses. */
  readonly form: Form | undefined
}

/** The conversation of which something is made; undefined while none is. */
export const wanted = signal<Request | undefined>(undefined)

/** The conversation that is shown; undefined in other views. */
export function shownConversation(): Conversation | undefined {
  const route = shown()
  return route.view === 'not-found' ? undefined : conversationOf(route)
}

/** Makes this of the conversation that is shown. */
export function makeOfShown(form: Form): void {
  const conversation = shownConversation()
  if (conversation !== undefined) wanted.value = { conversation, form }
}

export function closeWhole(): void {
  wanted.value = undefined
}

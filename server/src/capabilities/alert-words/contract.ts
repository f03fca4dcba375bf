import * as z from 'zod/mini'
import { COUNT_LIMITS } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { nothing, string, text } from '../../kernel/schemas.ts'

/** In code points. */
export const MAX_ALERT_WORD = 100
/** Words that one user may have. Every change sends all of them. */
export const MAX_ALERT_WORDS = COUNT_LIMITS.alertWords.most

const words = z.array(string)

export const getAlertWords = endpoint({
  id: 'getAlertWords',
  method: 'GET',
  path: '/users/me/alert_words',
  summary: 'List the words that the user watches for.',
  since: 0,
  input: nothing,
  output: z.object({ alert_words: words }),
  errors: [],
})

export const addAlertWords = endpoint({
  id: 'addAlertWords',
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Watch for words. Case makes no difference.',
  since: 0,
  input: z.object({ alert_words: z.array(text(MAX_ALERT_WORD)).check(z.maxLength(MAX_ALERT_WORDS)) }),
  output: z.object({ alert_words: words }),
  errors: ['BAD_REQUEST'],
})

export const removeAlertWords = endpoint({
  id: 'removeAlertWords',
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Watch for words no longer.',
  since: 0,
  input: z.object({ alert_words: z.array(string) }),
  output: z.object({ alert_words: words }),
  errors: [],
})

export const alertWordsChanged = event({
  type: 'alert_words',
  summary: 'The words that the user watches for changed; the event has all of them.',
  payload: z.strictObject({ alert_words: words }),
  apply(state, { alert_words }) {
    if (state['alert_words'] !== undefined) state['alert_words'] = alert_words
  },
})

import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { composedText, nothing, string } from '../../kernel/schemas.ts'

export const MAX_ALERT_WORD_LENGTH = 100
/** Each change sends the whole list, so the limit is low. */
export const ALERT_WORD_LIMIT: Limit = { most: 200, per: 'user', what: 'alert words' }

const alertWordList = z.array(string)

export const getAlertWords = endpoint({
  id: 'getAlertWords',
  method: 'GET',
  path: '/users/me/alert_words',
  summary: 'List your alert words.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ alert_words: alertWordList }),
  errors: [],
})

export const addAlertWords = endpoint({
  id: 'addAlertWords',
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Add alert words. They are case-insensitive.',
  since: 0,
  input: z.object({
    alert_words: z.array(composedText(MAX_ALERT_WORD_LENGTH)).check(z.maxLength(ALERT_WORD_LIMIT.most)),
  }),
  output: z.object({ alert_words: alertWordList }),
  errors: ['BAD_REQUEST'],
})

export const removeAlertWords = endpoint({
  id: 'removeAlertWords',
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Remove alert words.',
  since: 0,
  input: z.object({ alert_words: z.array(string) }),
  output: z.object({ alert_words: alertWordList }),
  errors: [],
})

export const alertWordsChanged = event({
  type: 'alert_words',
  summary: 'Your alert words changed. Contains all of them.',
  payload: z.strictObject({ alert_words: alertWordList }),
  touches: ['alert_words'],
  apply(state, { alert_words }) {
    if (state['alert_words'] !== undefined) state['alert_words'] = alert_words
  },
})

/** Of every answer of the API. */
export const ANSWER_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
}

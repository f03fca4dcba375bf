/* The worst known input of each endpoint: handwritten if the declaration does not say enough, else generated. */
import { declaredInputs } from './declared.js'
import { channelInputs } from './inputs/channels.js'
import { messageInputs } from './inputs/messages.js'
import { organizationInputs } from './inputs/organization.js'
import { ownInputs } from './inputs/own.js'
import { peopleInputs } from './inputs/people.js'
import { BODY_BYTES, MAX_FIELDS, multipartRequest, createList, rawRequest } from './requests.js'

/** @import { Inputs, Known } from './known.js' */

/** Destructive operations run last. */
const DESTRUCTIVE_ENDPOINTS = [
  'deleteTopic',
  'deleteMessage',
  'deactivateUserGroup',
  'archiveChannel',
  'removeStorage',
  'deleteCustomProfileField',
]

/** @param {Known} known @param {import('./declared.js').Document} document the API reference @returns {Inputs} */
export function worstInputs(known, document) {
  const written = handWrittenInputs(known)
  const inputs = { ...declaredInputs(document, new Set(Object.keys(written))), ...written }
  return Object.fromEntries(
    Object.entries(inputs).toSorted(([a], [b]) => DESTRUCTIVE_ENDPOINTS.indexOf(a) - DESTRUCTIVE_ENDPOINTS.indexOf(b)),
  )
}

/** @param {Known} known @returns {Inputs} */
export function handWrittenInputs(known) {
  return {
    ...ownInputs(known),
    ...peopleInputs(known),
    ...channelInputs(known),
    ...organizationInputs(known),
    ...messageInputs(known),
  }
}

/** Requests expensive at any endpoint, sent to only one endpoint. @type {readonly import('./requests.js').Request[]} */
export const ENDPOINT_INDEPENDENT_REQUESTS = [
  rawRequest('maximum fields', 'POST /users/me/status', createList(MAX_FIELDS, (index) => `f${index}=%41`).join('&')),
  rawRequest('100,000 fields', 'POST /users/me/status', createList(100_000, (index) => `f${index}=1`).join('&')),
  rawRequest('2 MiB of escapes', 'POST /users/me/status', `status_text=${'%41'.repeat(BODY_BYTES / 3 - 20)}`),
  rawRequest('only separators', 'POST /users/me/status', '&'.repeat(BODY_BYTES)),
  rawRequest(
    'deeply nested JSON',
    'POST /users/me/status',
    `{"status_text":${'['.repeat(BODY_BYTES / 2 - 20)}${']'.repeat(BODY_BYTES / 2 - 20)}}`,
    'application/json',
  ),
  rawRequest(
    'long JSON array',
    'POST /users/me/status',
    `{"status_text":[${'1,'.repeat(BODY_BYTES / 2 - 20)}1]}`,
    'application/json',
  ),
  rawRequest(
    'JSON array of objects',
    'POST /users/me/status',
    `{"status_text":[${'{},'.repeat(BODY_BYTES / 3 - 20)}1]}`,
    'application/json',
  ),
  rawRequest(
    'JSON object with many members',
    'POST /users/me/status',
    `{${createList(150_000, (index) => `"f${index}":1`).join(',')}}`,
    'application/json',
  ),
  rawRequest(
    'JSON string of escapes',
    'POST /users/me/status',
    `{"status_text":"${'\\u0041'.repeat(BODY_BYTES / 6 - 20)}"}`,
    'application/json',
  ),
  rawRequest(
    'long JSON array in a field',
    'POST /users/me/alert_words',
    `alert_words=[${'1,'.repeat(BODY_BYTES / 2 - 20)}1]`,
  ),
  rawRequest(
    'deeply nested JSON in a field',
    'POST /users/me/alert_words',
    `alert_words=${'['.repeat(BODY_BYTES / 2 - 20)}`,
  ),
  rawRequest(
    'JSON array of objects in a field',
    'POST /users/me/alert_words',
    `alert_words=[${'{},'.repeat(BODY_BYTES / 3 - 20)}1]`,
  ),
  rawRequest(
    'repeated JSON member',
    'POST /users/me/alert_words',
    `alert_words=[{${'"a":1,'.repeat(BODY_BYTES / 6 - 20)}"a":1}]`,
  ),
  multipartRequest('maximum parts', 'POST /users/me/status', MAX_FIELDS),
  multipartRequest('10,000 parts', 'POST /users/me/status', 10_000),
  rawRequest(
    'boundary of many hyphens',
    'POST /users/me/status',
    '-'.repeat(BODY_BYTES),
    `multipart/form-data; boundary=${'-'.repeat(60)}`,
  ),
]

import { BODY_BYTES, form, list } from '../requests.js'
import { CONTROL, controlText, HEAVY_TEXTS, MESSAGE_CHARACTERS } from '../texts.js'

const LONG = 'x'.repeat(BODY_BYTES - 1_000)

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function ownInputs({ users, channels, draft, snippet, scheduled, reminder, view, attachment, file }) {
  const content = controlText(MESSAGE_CHARACTERS)
  return {
    getDrafts: [form('as many and as long as may be', 'GET /drafts')],
    createDrafts: [
      form('long ones', 'POST /drafts', {
        drafts: list(25, () => ({ type: 'private', to: users.slice(0, 100), topic: '', content })),
      }),
      form('for everybody', 'POST /drafts', {
        drafts: list(40, () => ({ type: 'private', to: users.slice(0, 1_000), topic: '', content: 'x' })),
      }),
      form('many', 'POST /drafts', {
        drafts: list(1_000, () => ({ type: 'stream', to: [channels[0]?.id], topic: 'x', content: 'x' })),
      }),
    ],
    updateDraft: [
      form('for everybody', `PATCH /drafts/${draft}`, {
        draft: { type: 'private', to: users.slice(0, 1_000), topic: '', content },
      }),
    ],
    getSavedSnippets: [form('as many and as long as may be', 'GET /saved_snippets')],
    createSavedSnippet: [form('long', 'POST /saved_snippets', { title: 'Long', content })],
    updateSavedSnippet: [form('long', `PATCH /saved_snippets/${snippet}`, { content })],
    getScheduledMessages: [form('as many and as long as may be', 'GET /scheduled_messages')],
    deleteScheduledMessage: [form('a long one', `DELETE /scheduled_messages/${scheduled}`)],
    getReminders: [form('as many and as long as may be', 'GET /reminders')],
    deleteReminder: [form('a long one', `DELETE /reminders/${reminder}`)],
    getStorage: [form('as much as may be', 'GET /bot_storage')],
    updateStorage: [
      form('one large value', 'PUT /bot_storage', { storage: { large: CONTROL.repeat(250_000) } }),
      form('as many as may be', 'PUT /bot_storage', {
        storage: Object.fromEntries(list(2_000, (index) => [`k${index}`, 'x'])),
      }),
      form('more than may be', 'PUT /bot_storage', {
        storage: Object.fromEntries(list(40_000, (index) => [`k${index}`, 'x'])),
      }),
    ],
    removeStorage: [
      form('by many keys', 'DELETE /bot_storage', { keys: list(45_000, (index) => `k${index}`) }),
      form('everything', 'DELETE /bot_storage'),
    ],
    getPreferences: [form('as much as may be', 'GET /preferences')],
    updatePreferences: [
      form('as many as may be', 'PATCH /preferences', {
        preferences: Object.fromEntries(list(200, (index) => [`name ${index}`, CONTROL.repeat(480)])),
      }),
      form('more than may be', 'PATCH /preferences', {
        preferences: Object.fromEntries(list(40_000, (index) => [`n${index}`, 'x'])),
      }),
    ],
    getNavigationViews: [form('as many as may be', 'GET /navigation_views')],
    addNavigationView: [form('long', 'POST /navigation_views', { fragment: LONG, is_pinned: true, name: 'x' })],
    updateNavigationView: [form('long', `PATCH /navigation_views/${encodeURIComponent(view)}`, { name: LONG })],
    getAlertWords: [form('as many as may be', 'GET /users/me/alert_words')],
    addAlertWords: [
      form('more than may be', 'POST /users/me/alert_words', { alert_words: list(45_000, (index) => `w${index}`) }),
      form('long', 'POST /users/me/alert_words', { alert_words: list(200, (index) => `${index}${'x'.repeat(9_000)}`) }),
    ],
    removeAlertWords: [
      form('many', 'DELETE /users/me/alert_words', { alert_words: list(49_000, (index) => `w${index}`) }),
    ],
    getAttachments: [form('as many as there are', 'GET /attachments')],
    removeAttachment: [form('one of a message', `DELETE /attachments/${attachment}`)],
    uploadFile: 'what a file holds goes to disk as it arrives: see the tests of uploads',
    getFileTemporaryUrl: [form('one', `GET /user_uploads/${file}`)],
    registerQueue: [
      form('everything with all subscribers', 'POST /register', {
        include_subscribers: 'true',
        apply_markdown: true,
        slim_presence: true,
        presence_history_limit_days: 365_000,
      }),
      form('as of old clients', 'POST /register', { include_subscribers: 'partial' }),
      form('many names of events', 'POST /register', {
        event_types: list(500, (index) => `${'x'.repeat(90)}${index}`),
      }),
      form('fifty terms', 'POST /register', {
        narrow: list(50, (index) => ['topic', `${'x'.repeat(30_000)}${index}`]),
        event_types: ['message'],
      }),
      form('a description of the client', 'POST /register', {
        client_capabilities: Object.fromEntries(list(40_000, (index) => [`c${index}`, true])),
      }),
    ],
    testWelcomeMessage: [
      form('long', 'POST /realm/test_welcome_bot_custom_message', {
        welcome_message_custom_text: HEAVY_TEXTS['formulas']?.slice(0, 8_000),
      }),
    ],
  }
}

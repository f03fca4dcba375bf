import { BODY_BYTES, form, list } from '../requests.js'
import { CONTROL, controlText, HEAVY_TEXTS, MESSAGE_CHARACTERS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function ownInputs({ users, channels, draft, snippet, scheduled, reminder, view, attachment, file }) {
  const content = controlText(MESSAGE_CHARACTERS)
  return {
    getDrafts: [form('maximum count and length', 'GET /drafts')],
    createDrafts: [
      form('long drafts', 'POST /drafts', {
        drafts: list(25, () => ({ type: 'private', to: users.slice(0, 100), topic: '', content })),
      }),
      form('addressed to everyone', 'POST /drafts', {
        drafts: list(40, () => ({ type: 'private', to: users.slice(0, 1_000), topic: '', content: 'x' })),
      }),
      form('many', 'POST /drafts', {
        drafts: list(1_000, () => ({ type: 'stream', to: [channels[0]?.id], topic: 'x', content: 'x' })),
      }),
    ],
    updateDraft: [
      form('addressed to everyone', `PATCH /drafts/${draft}`, {
        draft: { type: 'private', to: users.slice(0, 1_000), topic: '', content },
      }),
    ],
    getSavedSnippets: [form('maximum count and length', 'GET /saved_snippets')],
    createSavedSnippet: [form('long text', 'POST /saved_snippets', { title: 'Long', content })],
    updateSavedSnippet: [form('long text', `PATCH /saved_snippets/${snippet}`, { content })],
    getScheduledMessages: [form('maximum count and length', 'GET /scheduled_messages')],
    deleteScheduledMessage: [form('long message', `DELETE /scheduled_messages/${scheduled}`)],
    getReminders: [form('maximum count and length', 'GET /reminders')],
    deleteReminder: [form('long note', `DELETE /reminders/${reminder}`)],
    getStorage: [form('maximum size', 'GET /bot_storage')],
    updateStorage: [
      form('one large value', 'PUT /bot_storage', { storage: { large: CONTROL.repeat(250_000) } }),
      form('maximum count', 'PUT /bot_storage', {
        storage: Object.fromEntries(list(2_000, (index) => [`k${index}`, 'x'])),
      }),
      form('too many keys', 'PUT /bot_storage', {
        storage: Object.fromEntries(list(40_000, (index) => [`k${index}`, 'x'])),
      }),
    ],
    removeStorage: [
      form('many keys', 'DELETE /bot_storage', { keys: list(45_000, (index) => `k${index}`) }),
      form('everything', 'DELETE /bot_storage'),
    ],
    getPreferences: [form('maximum size', 'GET /preferences')],
    updatePreferences: [
      form('maximum count', 'PATCH /preferences', {
        preferences: Object.fromEntries(list(200, (index) => [`name ${index}`, CONTROL.repeat(480)])),
      }),
      form('too many preferences', 'PATCH /preferences', {
        preferences: Object.fromEntries(list(40_000, (index) => [`n${index}`, 'x'])),
      }),
    ],
    getNavigationViews: [form('maximum count', 'GET /navigation_views')],
    addNavigationView: [
      form('long fragment', 'POST /navigation_views', { fragment: LONG_TEXT, is_pinned: true, name: 'x' }),
    ],
    updateNavigationView: [
      form('long name', `PATCH /navigation_views/${encodeURIComponent(view)}`, { name: LONG_TEXT }),
    ],
    getAlertWords: [form('maximum count', 'GET /users/me/alert_words')],
    addAlertWords: [
      form('too many words', 'POST /users/me/alert_words', { alert_words: list(45_000, (index) => `w${index}`) }),
      form('long words', 'POST /users/me/alert_words', {
        alert_words: list(200, (index) => `${index}${'x'.repeat(9_000)}`),
      }),
    ],
    removeAlertWords: [
      form('many', 'DELETE /users/me/alert_words', { alert_words: list(49_000, (index) => `w${index}`) }),
    ],
    getAttachments: [form('all files', 'GET /attachments')],
    removeAttachment: [form('file in a message', `DELETE /attachments/${attachment}`)],
    uploadFile: 'files are streamed to disk: see the tests of uploads',
    getFileTemporaryUrl: [form('one', `GET /user_uploads/${file}`)],
    registerQueue: [
      form('everything, with all subscribers', 'POST /register', {
        include_subscribers: 'true',
        apply_markdown: true,
        slim_presence: true,
        presence_history_limit_days: 365_000,
      }),
      form('old client', 'POST /register', { include_subscribers: 'partial' }),
      form('many event types', 'POST /register', {
        event_types: list(500, (index) => `${'x'.repeat(90)}${index}`),
      }),
      form('50 terms', 'POST /register', {
        narrow: list(50, (index) => ['topic', `${'x'.repeat(30_000)}${index}`]),
        event_types: ['message'],
      }),
      form('long client description', 'POST /register', {
        client_capabilities: Object.fromEntries(list(40_000, (index) => [`c${index}`, true])),
      }),
    ],
    testWelcomeMessage: [
      form('long text', 'POST /realm/test_welcome_bot_custom_message', {
        welcome_message_custom_text: HEAVY_TEXTS['formulas']?.slice(0, 8_000),
      }),
    ],
  }
}

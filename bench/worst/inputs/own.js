import { BODY_BYTES, formRequest, createList } from '../requests.js'
import { CONTROL_CHARACTER, controlText, HEAVY_TEXTS, MESSAGE_CHARACTERS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function ownInputs({ users, channels, draft, snippet, scheduled, reminder, view, attachment, file }) {
  const content = controlText(MESSAGE_CHARACTERS)
  return {
    getDrafts: [formRequest('maximum count and length', 'GET /drafts')],
    createDrafts: [
      formRequest('long drafts', 'POST /drafts', {
        drafts: createList(25, () => ({ type: 'private', to: users.slice(0, 100), topic: '', content })),
      }),
      formRequest('addressed to everyone', 'POST /drafts', {
        drafts: createList(40, () => ({ type: 'private', to: users.slice(0, 1_000), topic: '', content: 'x' })),
      }),
      formRequest('many', 'POST /drafts', {
        drafts: createList(1_000, () => ({ type: 'stream', to: [channels[0]?.id], topic: 'x', content: 'x' })),
      }),
    ],
    updateDraft: [
      formRequest('addressed to everyone', `PATCH /drafts/${draft}`, {
        draft: { type: 'private', to: users.slice(0, 1_000), topic: '', content },
      }),
    ],
    getSavedSnippets: [formRequest('maximum count and length', 'GET /saved_snippets')],
    createSavedSnippet: [formRequest('long text', 'POST /saved_snippets', { title: 'Long', content })],
    updateSavedSnippet: [formRequest('long text', `PATCH /saved_snippets/${snippet}`, { content })],
    getScheduledMessages: [formRequest('maximum count and length', 'GET /scheduled_messages')],
    deleteScheduledMessage: [formRequest('long message', `DELETE /scheduled_messages/${scheduled}`)],
    getReminders: [formRequest('maximum count and length', 'GET /reminders')],
    deleteReminder: [formRequest('long note', `DELETE /reminders/${reminder}`)],
    getStorage: [formRequest('maximum size', 'GET /bot_storage')],
    updateStorage: [
      formRequest('one large value', 'PUT /bot_storage', { storage: { large: CONTROL_CHARACTER.repeat(250_000) } }),
      formRequest('maximum count', 'PUT /bot_storage', {
        storage: Object.fromEntries(createList(2_000, (index) => [`k${index}`, 'x'])),
      }),
      formRequest('too many keys', 'PUT /bot_storage', {
        storage: Object.fromEntries(createList(40_000, (index) => [`k${index}`, 'x'])),
      }),
    ],
    removeStorage: [
      formRequest('many keys', 'DELETE /bot_storage', { keys: createList(45_000, (index) => `k${index}`) }),
      formRequest('everything', 'DELETE /bot_storage'),
    ],
    getPreferences: [formRequest('maximum size', 'GET /preferences')],
    updatePreferences: [
      formRequest('maximum count', 'PATCH /preferences', {
        preferences: Object.fromEntries(createList(200, (index) => [`name ${index}`, CONTROL_CHARACTER.repeat(480)])),
      }),
      formRequest('too many preferences', 'PATCH /preferences', {
        preferences: Object.fromEntries(createList(40_000, (index) => [`n${index}`, 'x'])),
      }),
    ],
    getNavigationViews: [formRequest('maximum count', 'GET /navigation_views')],
    addNavigationView: [
      formRequest('long fragment', 'POST /navigation_views', { fragment: LONG_TEXT, is_pinned: true, name: 'x' }),
    ],
    updateNavigationView: [
      formRequest('long name', `PATCH /navigation_views/${encodeURIComponent(view)}`, { name: LONG_TEXT }),
    ],
    getAlertWords: [formRequest('maximum count', 'GET /users/me/alert_words')],
    addAlertWords: [
      formRequest('too many words', 'POST /users/me/alert_words', {
        alert_words: createList(45_000, (index) => `w${index}`),
      }),
      formRequest('long words', 'POST /users/me/alert_words', {
        alert_words: createList(200, (index) => `${index}${'x'.repeat(9_000)}`),
      }),
    ],
    removeAlertWords: [
      formRequest('many', 'DELETE /users/me/alert_words', { alert_words: createList(49_000, (index) => `w${index}`) }),
    ],
    getAttachments: [formRequest('all files', 'GET /attachments')],
    removeAttachment: [formRequest('file in a message', `DELETE /attachments/${attachment}`)],
    uploadFile: 'files are streamed to disk: see the tests of uploads',
    getFileTemporaryUrl: [formRequest('one', `GET /user_uploads/${file}`)],
    registerQueue: [
      formRequest('everything, with all subscribers', 'POST /register', {
        include_subscribers: 'true',
        apply_markdown: true,
        slim_presence: true,
        presence_history_limit_days: 365_000,
      }),
      formRequest('old client', 'POST /register', { include_subscribers: 'partial' }),
      formRequest('many event types', 'POST /register', {
        event_types: createList(500, (index) => `${'x'.repeat(90)}${index}`),
      }),
      formRequest('50 terms', 'POST /register', {
        narrow: createList(50, (index) => ['topic', `${'x'.repeat(30_000)}${index}`]),
        event_types: ['message'],
      }),
      formRequest('long client description', 'POST /register', {
        client_capabilities: Object.fromEntries(createList(40_000, (index) => [`c${index}`, true])),
      }),
    ],
    testWelcomeMessage: [
      formRequest('long text', 'POST /realm/test_welcome_bot_custom_message', {
        welcome_message_custom_text: HEAVY_TEXTS['formulas']?.slice(0, 8_000),
      }),
    ],
  }
}

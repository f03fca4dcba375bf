import { FUTURE_SECONDS } from '../known.js'
import { BODY_BYTES, formRequest, createList, rawRequest, repeatText } from '../requests.js'
import { CONTROL_CHARACTER, HEAVY_TEXTS, MESSAGE_CHARACTERS, DISSIMILAR_TEXTS } from '../texts.js'

const MESSAGES_AT_ONCE = 5_000
const MESSAGES_FLAGGED_AT_ONCE = 50_000
const MAX_TERMS = 50
const MAX_PHRASES = 50

/** @param {import('../known.js').Known} known */
function narrowRequests({ users, channels, topic }) {
  const term = (/** @type {string} */ operator, /** @type {unknown} */ operand, negated = false) => ({
    operator,
    operand,
    negated,
  })
  const everybody = users.slice(0, 20_000)
  return {
    everything: [],
    '50 excluded channels': createList(MAX_TERMS, (index) =>
      term('channel', channels[index % channels.length]?.id, true),
    ),
    '50 excluded senders': createList(MAX_TERMS, (index) => term('sender', users[index % users.length], true)),
    '50 flags': createList(MAX_TERMS, (index) =>
      term('is', ['starred', 'unread', 'mentioned', 'alerted'][index % 4], index % 2 === 0),
    ),
    '50 searches': createList(MAX_TERMS, (index) => term('search', `the a to ${index}`)),
    'search for 50 words': [term('search', createList(MAX_PHRASES, (index) => `w${index}`).join(' '))],
    'search for a common word': [term('search', 'the')],
    'search for a long phrase': [term('search', `"${repeatText('a ', 100_000)}"`)],
    'search without words': [term('search', repeatText('"" ', 200_000))],
    'direct messages with everyone': [term('dm', everybody)],
    'direct messages including everyone': [term('dm-including', everybody)],
    'messages without reactions and links': ['reaction', 'link', 'image', 'attachment'].map((what) =>
      term('has', what, true),
    ),
    'long topic': [term('channel', topic.channel), term('topic', topic.name)],
    '1 MiB operand': [term('topic', 'x'.repeat(1_000_000))],
    '50 lists of one person': createList(MAX_TERMS, () => ['dm', [users[0]]]),
  }
}

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function messageInputs(known) {
  const { channels, messages, own, voted, topic, users, queue } = known
  const [channel] = channels
  const address = { type: 'stream', to: channel?.id, topic: 'worst' }
  const texts = Object.entries(HEAVY_TEXTS)
  const asked = Object.entries(narrowRequests(known))
  const far = { anchor: 'newest', num_before: MESSAGES_AT_ONCE, num_after: 0 }
  const older = { anchor: 'oldest', num_before: 0, num_after: MESSAGES_AT_ONCE }
  return {
    sendMessage: [
      ...texts.map(([what, content]) => formRequest(what, 'POST /messages', { ...address, content })),
      formRequest('maximum recipients', 'POST /messages', {
        type: 'direct',
        to: users.slice(0, 250),
        content: 'Hello',
      }),
      formRequest('too many recipients', 'POST /messages', {
        type: 'direct',
        to: users.slice(0, 10_000),
        content: 'Hello',
      }),
      formRequest('recipients by name', 'POST /messages', {
        type: 'direct',
        to: createList(40_000, (index) => `p${index}@a.b`),
        content: 'Hello',
      }),
      formRequest('2 MiB text', 'POST /messages', { ...address, content: 'x'.repeat(BODY_BYTES - 100) }),
      formRequest('2 MiB widget', 'POST /messages', {
        ...address,
        content: 'x',
        widget_content: `{"widget_type":"poll","extra_data":{"a":"${'x'.repeat(2_000_000)}"}}`,
      }),
      formRequest('mention of everyone', 'POST /messages', { ...address, content: '@**all** hello' }),
      formRequest('2 MiB topic', 'POST /messages', {
        ...address,
        topic: 'x'.repeat(BODY_BYTES - 100),
        content: 'x',
      }),
    ],
    renderContent: [
      ...texts.map(([what, content]) => formRequest(what, 'POST /messages/render', { content })),
      formRequest('2 MiB text', 'POST /messages/render', { content: 'a '.repeat(BODY_BYTES / 2 - 100) }),
    ],
    getMessages: [
      ...asked.map(([what, narrow]) => formRequest(what, 'GET /messages', { ...far, narrow })),
      ...asked
        .slice(0, 5)
        .map(([what, narrow]) => formRequest(`${what}, starting at the oldest`, 'GET /messages', { ...older, narrow })),
      formRequest('by ID', 'GET /messages', { message_ids: messages.slice(0, MESSAGES_AT_ONCE) }),
      formRequest('too many messages', 'GET /messages', { ...far, num_before: 1_000_000 }),
    ],
    getRecentConversations: [
      formRequest('maximum count', 'GET /recent', { limit: 100, muted: true }),
      formRequest('one channel', 'GET /recent', { limit: 100, muted: true, channel_id: topic.channel }),
      formRequest('unread', 'GET /recent', { limit: 100, unread: true }),
      formRequest('all filters', 'GET /recent', {
        limit: 100,
        unread: true,
        participated: true,
        unresolved: true,
        followed: true,
      }),
    ],
    matchesNarrow: asked.map(([what, narrow]) =>
      formRequest(what, 'GET /messages/matches_narrow', { msg_ids: messages.slice(0, MESSAGES_AT_ONCE), narrow }),
    ),
    getMessage: [
      formRequest('message with votes', `GET /messages/${voted}`),
      formRequest('edited message', `GET /messages/${own}`),
    ],
    updateMessage: [
      ...texts.map(([what, content]) => formRequest(what, `PATCH /messages/${own}`, { content })),
      ...DISSIMILAR_TEXTS.map((content) =>
        formRequest('nothing in common with the old text', `PATCH /messages/${own}`, { content }),
      ),
      formRequest('long topic to another channel', `PATCH /messages/${topic.newest}`, {
        stream_id: channels.at(-1)?.id,
        propagate_mode: 'change_all',
      }),
      formRequest('long topic back again', `PATCH /messages/${topic.newest}`, {
        stream_id: topic.channel,
        topic: topic.name,
        propagate_mode: 'change_all',
      }),
    ],
    getMessageHistory: [formRequest('texts with nothing in common', `GET /messages/${own}/history`)],
    getReadReceipts: [formRequest('read by many', `GET /messages/${topic.newest}/read_receipts`)],
    sendSubmessage: [
      formRequest('maximum length', 'POST /submessage', {
        message_id: voted,
        msg_type: 'worst',
        content: JSON.stringify(CONTROL_CHARACTER.repeat(1_600)),
      }),
      formRequest('deeply nested JSON', 'POST /submessage', {
        message_id: own,
        msg_type: 'worst',
        content: `${'['.repeat(4_999)}1${']'.repeat(4_999)}`,
      }),
    ],
    updateMessageFlags: ['starred', 'read'].flatMap((flag) =>
      ['add', 'remove'].flatMap((op) => [
        formRequest(`${op} ${flag}`, 'POST /messages/flags', {
          messages: messages.slice(0, MESSAGES_AT_ONCE),
          op,
          flag,
        }),
        formRequest(`${op} ${flag}, missing messages`, 'POST /messages/flags', {
          messages: createList(MESSAGES_AT_ONCE, (index) => 900_000_000 + index * 3),
          op,
          flag,
        }),
        formRequest(`${op} ${flag}, too many messages`, 'POST /messages/flags', {
          messages: createList(MESSAGES_FLAGGED_AT_ONCE, (index) => index + 1),
          op,
          flag,
        }),
      ]),
    ),
    updateMessageFlagsForNarrow: asked.map(([what, narrow]) =>
      formRequest(what, 'POST /messages/flags/narrow', { ...far, narrow, op: 'add', flag: 'starred' }),
    ),
    addReaction: [
      formRequest('long name', `POST /messages/${own}/reactions`, { emoji_name: 'x'.repeat(BODY_BYTES - 100) }),
    ],
    removeReaction: [
      formRequest('long name', `DELETE /messages/${own}/reactions`, { emoji_name: 'x'.repeat(BODY_BYTES - 100) }),
    ],
    reportMessage: [
      formRequest('long text', `POST /messages/${own}/report`, {
        report_type: 'spam',
        description: 'x'.repeat(BODY_BYTES - 100),
      }),
    ],
    getStreamTopics: channels.slice(0, 3).map(({ id }) => formRequest('many topics', `GET /users/me/${id}/topics`)),
    setTypingStatus: [
      formRequest('to everyone', 'POST /typing', { op: 'start', to: users.slice(0, 40_000) }),
      formRequest('one recipient, repeated', 'POST /typing', { op: 'start', to: createList(49_000, () => users[0]) }),
      formRequest('2 MiB topic', 'POST /typing', {
        type: 'channel',
        op: 'start',
        stream_id: topic.channel,
        topic: 'x'.repeat(BODY_BYTES - 200),
      }),
    ],
    setTypingStatusForMessageEdit: [
      formRequest('channel with many subscribers', `POST /messages/${topic.newest}/typing`, { op: 'start' }),
    ],
    updateUserTopic: [
      formRequest('long topic', 'POST /user_topics', {
        stream_id: channel?.id,
        topic: 'x'.repeat(BODY_BYTES - 100),
        visibility_policy: 1,
      }),
    ],
    muteTopic: [
      formRequest('long topic', 'PATCH /users/me/subscriptions/muted_topics', {
        stream: 'x'.repeat(1_000_000),
        topic: 'x'.repeat(1_000_000),
        op: 'add',
      }),
    ],
    getEvents: [
      formRequest('50 terms', 'GET /events', {
        queue_id: queue,
        last_event_id: -1,
        dont_block: true,
        narrow: createList(MAX_TERMS, () => ['is', 'unread']),
      }),
      rawRequest('2 MiB queue ID', 'GET /events', `queue_id=${'x'.repeat(BODY_BYTES - 20)}`),
    ],
    deleteQueue: [formRequest('2 MiB queue ID', 'DELETE /events', { queue_id: 'x'.repeat(BODY_BYTES - 20) })],
    createScheduledMessage: texts.map(([what, content]) =>
      formRequest(what, 'POST /scheduled_messages', {
        type: 'channel',
        to: channel?.id,
        topic: 'worst',
        content,
        scheduled_delivery_timestamp: FUTURE_SECONDS,
      }),
    ),
    updateScheduledMessage: [
      formRequest('long text', `PATCH /scheduled_messages/${known.scheduled}`, {
        content: HEAVY_TEXTS['formulas'],
        to: users.slice(0, 40_000),
        type: 'direct',
      }),
    ],
    createReminder: [
      formRequest('long note', 'POST /reminders', {
        message_id: own,
        note: repeatText(CONTROL_CHARACTER, MESSAGE_CHARACTERS),
        scheduled_delivery_timestamp: FUTURE_SECONDS,
      }),
    ],
    markStreamAsRead: [formRequest('many messages', 'POST /mark_stream_as_read', { stream_id: topic.channel })],
    markTopicAsRead: [
      formRequest('long topic', 'POST /mark_topic_as_read', { stream_id: topic.channel, topic_name: topic.name }),
    ],
    markAllAsRead: [formRequest('everything', 'POST /mark_all_as_read')],
    deleteTopic: [formRequest('long topic', `POST /streams/${topic.channel}/delete_topic`, { topic_name: topic.name })],
    deleteMessage: [formRequest('message with votes', `DELETE /messages/${voted}`)],
  }
}

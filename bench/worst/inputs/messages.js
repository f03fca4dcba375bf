import { FUTURE } from '../known.js'
import { BODY_BYTES, form, list, raw, repeatText } from '../requests.js'
import { CONTROL, HEAVY_TEXTS, MESSAGE_CHARACTERS, UNLIKE_TEXTS } from '../texts.js'

const MESSAGES_AT_ONCE = 5_000
const FLAGGED_AT_ONCE = 50_000
const TERMS = 50
const PHRASES = 50

/** @param {import('../known.js').Known} known */
function narrows({ users, channels, topic }) {
  const term = (/** @type {string} */ operator, /** @type {unknown} */ operand, negated = false) => ({
    operator,
    operand,
    negated,
  })
  const everybody = users.slice(0, 20_000)
  return {
    everything: [],
    'fifty terms that exclude': list(TERMS, (index) => term('channel', channels[index % channels.length]?.id, true)),
    'fifty senders that exclude': list(TERMS, (index) => term('sender', users[index % users.length], true)),
    'fifty flags': list(TERMS, (index) =>
      term('is', ['starred', 'unread', 'mentioned', 'alerted'][index % 4], index % 2 === 0),
    ),
    'fifty searches': list(TERMS, (index) => term('search', `the a to ${index}`)),
    'a search of fifty words': [term('search', list(PHRASES, (index) => `w${index}`).join(' '))],
    'a search of a common word': [term('search', 'the')],
    'a search of one long phrase': [term('search', `"${repeatText('a ', 100_000)}"`)],
    'a search without words': [term('search', repeatText('"" ', 200_000))],
    'direct messages with everybody': [term('dm', everybody)],
    'messages that include everybody': [term('dm-including', everybody)],
    'topics with reactions and links': ['reaction', 'link', 'image', 'attachment'].map((what) =>
      term('has', what, true),
    ),
    'a long topic': [term('channel', topic.channel), term('topic', topic.name)],
    'an operand of a mebibyte': [term('topic', 'x'.repeat(1_000_000))],
    'lists of one': list(TERMS, () => ['dm', [users[0]]]),
  }
}

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function messageInputs(known) {
  const { channels, messages, own, voted, topic, users, queue } = known
  const [channel] = channels
  const address = { type: 'stream', to: channel?.id, topic: 'worst' }
  const texts = Object.entries(HEAVY_TEXTS)
  const asked = Object.entries(narrows(known))
  const far = { anchor: 'newest', num_before: MESSAGES_AT_ONCE, num_after: 0 }
  const older = { anchor: 'oldest', num_before: 0, num_after: MESSAGES_AT_ONCE }
  return {
    sendMessage: [
      ...texts.map(([what, content]) => form(what, 'POST /messages', { ...address, content })),
      form('to as many as may be', 'POST /messages', { type: 'direct', to: users.slice(0, 250), content: 'Hello' }),
      form('to far more than may be', 'POST /messages', {
        type: 'direct',
        to: users.slice(0, 10_000),
        content: 'Hello',
      }),
      form('to a list of names', 'POST /messages', {
        type: 'direct',
        to: list(40_000, (index) => `p${index}@a.b`),
        content: 'Hello',
      }),
      form('a text of two mebibytes', 'POST /messages', { ...address, content: 'x'.repeat(BODY_BYTES - 100) }),
      form('a widget of two mebibytes', 'POST /messages', {
        ...address,
        content: 'x',
        widget_content: `{"widget_type":"poll","extra_data":{"a":"${'x'.repeat(2_000_000)}"}}`,
      }),
      form('a mention of everybody', 'POST /messages', { ...address, content: '@**all** hello' }),
      form('a topic of two mebibytes', 'POST /messages', {
        ...address,
        topic: 'x'.repeat(BODY_BYTES - 100),
        content: 'x',
      }),
    ],
    renderContent: [
      ...texts.map(([what, content]) => form(what, 'POST /messages/render', { content })),
      form('a text of two mebibytes', 'POST /messages/render', { content: 'a '.repeat(BODY_BYTES / 2 - 100) }),
    ],
    getMessages: [
      ...asked.map(([what, narrow]) => form(what, 'GET /messages', { ...far, narrow })),
      ...asked
        .slice(0, 5)
        .map(([what, narrow]) => form(`${what}, from the oldest`, 'GET /messages', { ...older, narrow })),
      form('by their ids', 'GET /messages', { message_ids: messages.slice(0, MESSAGES_AT_ONCE) }),
      form('far more than there may be', 'GET /messages', { ...far, num_before: 1_000_000 }),
    ],
    getRecentConversations: [
      form('as many as may be', 'GET /recent', { limit: 100, muted: true }),
      form('of one channel', 'GET /recent', { limit: 100, muted: true, channel_id: topic.channel }),
      form('what is unread', 'GET /recent', { limit: 100, unread: true }),
      form('all filters', 'GET /recent', {
        limit: 100,
        unread: true,
        participated: true,
        unresolved: true,
        followed: true,
      }),
    ],
    matchesNarrow: asked.map(([what, narrow]) =>
      form(what, 'GET /messages/matches_narrow', { msg_ids: messages.slice(0, MESSAGES_AT_ONCE), narrow }),
    ),
    getMessage: [form('a voted one', `GET /messages/${voted}`), form('an edited one', `GET /messages/${own}`)],
    updateMessage: [
      ...texts.map(([what, content]) => form(what, `PATCH /messages/${own}`, { content })),
      ...UNLIKE_TEXTS.map((content) => form('nothing in common', `PATCH /messages/${own}`, { content })),
      form('a long topic to another channel', `PATCH /messages/${topic.newest}`, {
        stream_id: channels.at(-1)?.id,
        propagate_mode: 'change_all',
      }),
      form('and back', `PATCH /messages/${topic.newest}`, {
        stream_id: topic.channel,
        topic: topic.name,
        propagate_mode: 'change_all',
      }),
    ],
    getMessageHistory: [form('texts that have nothing in common', `GET /messages/${own}/history`)],
    getReadReceipts: [form('read by many', `GET /messages/${topic.newest}/read_receipts`)],
    sendSubmessage: [
      form('as long as may be', 'POST /submessage', {
        message_id: voted,
        msg_type: 'worst',
        content: JSON.stringify(CONTROL.repeat(1_600)),
      }),
      form('deep', 'POST /submessage', {
        message_id: own,
        msg_type: 'worst',
        content: `${'['.repeat(4_999)}1${']'.repeat(4_999)}`,
      }),
    ],
    updateMessageFlags: ['starred', 'read'].flatMap((flag) =>
      ['add', 'remove'].flatMap((op) => [
        form(`${op} ${flag}`, 'POST /messages/flags', { messages: messages.slice(0, MESSAGES_AT_ONCE), op, flag }),
        form(`${op} ${flag}, of none that is there`, 'POST /messages/flags', {
          messages: list(MESSAGES_AT_ONCE, (index) => 900_000_000 + index * 3),
          op,
          flag,
        }),
        form(`${op} ${flag}, of too many`, 'POST /messages/flags', {
          messages: list(FLAGGED_AT_ONCE, (index) => index + 1),
          op,
          flag,
        }),
      ]),
    ),
    updateMessageFlagsForNarrow: asked.map(([what, narrow]) =>
      form(what, 'POST /messages/flags/narrow', { ...far, narrow, op: 'add', flag: 'starred' }),
    ),
    addReaction: [form('a long name', `POST /messages/${own}/reactions`, { emoji_name: 'x'.repeat(BODY_BYTES - 100) })],
    removeReaction: [
      form('a long name', `DELETE /messages/${own}/reactions`, { emoji_name: 'x'.repeat(BODY_BYTES - 100) }),
    ],
    reportMessage: [
      form('a long text', `POST /messages/${own}/report`, {
        report_type: 'spam',
        description: 'x'.repeat(BODY_BYTES - 100),
      }),
    ],
    getStreamTopics: channels.slice(0, 3).map(({ id }) => form('many topics', `GET /users/me/${id}/topics`)),
    setTypingStatus: [
      form('to everybody', 'POST /typing', { op: 'start', to: users.slice(0, 40_000) }),
      form('to one again and again', 'POST /typing', { op: 'start', to: list(49_000, () => users[0]) }),
      form('a topic of two mebibytes', 'POST /typing', {
        type: 'channel',
        op: 'start',
        stream_id: topic.channel,
        topic: 'x'.repeat(BODY_BYTES - 200),
      }),
    ],
    setTypingStatusForMessageEdit: [
      form('of a channel of many', `POST /messages/${topic.newest}/typing`, { op: 'start' }),
    ],
    updateUserTopic: [
      form('a long topic', 'POST /user_topics', {
        stream_id: channel?.id,
        topic: 'x'.repeat(BODY_BYTES - 100),
        visibility_policy: 1,
      }),
    ],
    muteTopic: [
      form('a long topic', 'PATCH /users/me/subscriptions/muted_topics', {
        stream: 'x'.repeat(1_000_000),
        topic: 'x'.repeat(1_000_000),
        op: 'add',
      }),
    ],
    getEvents: [
      form('fifty terms', 'GET /events', {
        queue_id: queue,
        last_event_id: -1,
        dont_block: true,
        narrow: list(TERMS, () => ['is', 'unread']),
      }),
      raw('a queue of two mebibytes', 'GET /events', `queue_id=${'x'.repeat(BODY_BYTES - 20)}`),
    ],
    deleteQueue: [form('a queue of two mebibytes', 'DELETE /events', { queue_id: 'x'.repeat(BODY_BYTES - 20) })],
    createScheduledMessage: texts.map(([what, content]) =>
      form(what, 'POST /scheduled_messages', {
        type: 'channel',
        to: channel?.id,
        topic: 'worst',
        content,
        scheduled_delivery_timestamp: FUTURE,
      }),
    ),
    updateScheduledMessage: [
      form('a long text', `PATCH /scheduled_messages/${known.scheduled}`, {
        content: HEAVY_TEXTS['formulas'],
        to: users.slice(0, 40_000),
        type: 'direct',
      }),
    ],
    createReminder: [
      form('a long note', 'POST /reminders', {
        message_id: own,
        note: repeatText(CONTROL, MESSAGE_CHARACTERS),
        scheduled_delivery_timestamp: FUTURE,
      }),
    ],
    markStreamAsRead: [form('of many messages', 'POST /mark_stream_as_read', { stream_id: topic.channel })],
    markTopicAsRead: [
      form('a long one', 'POST /mark_topic_as_read', { stream_id: topic.channel, topic_name: topic.name }),
    ],
    markAllAsRead: [form('everything', 'POST /mark_all_as_read')],
    deleteTopic: [form('a long one', `POST /streams/${topic.channel}/delete_topic`, { topic_name: topic.name })],
    deleteMessage: [form('a voted one', `DELETE /messages/${voted}`)],
  }
}

import { call, follow, isEvent, messages, users } from '@parley/client'

const { PARLEY_URL = '', PARLEY_EMAIL = '', PARLEY_API_KEY = '' } = process.env
const bot = { url: PARLEY_URL, email: PARLEY_EMAIL, apiKey: PARLEY_API_KEY }

const { user_id: own } = await call(bot, users.getOwnUser, {})
const interests = { event_types: ['message'], fetch_event_types: [] }
await follow(bot, interests, {
  onEvent(event) {
    if (!isEvent(event, messages.messageSent) || event.message.sender_id === own) return
    const isAsked = event.message.type === 'private' || event.flags.includes('mentioned')
    // A failed reply must not stop the bot.
    if (isAsked) answer(event.message).catch(console.error)
  },
})

/** @param {import('@parley/client').Message} message */
async function answer(message) {
  // A silent mention: `@_**Ann**` notifies no one.
  const content = message.content.replace(/@(?=\*)/g, '@_')
  await call(bot, messages.sendMessage, { ...conversationOf(message), content })
}

/** @param {import('@parley/client').Message} message */
function conversationOf({ stream_id: to, subject: topic, display_recipient: people }) {
  if (to !== undefined) return { type: /** @type {const} */ ('stream'), to, topic }
  // Lists everyone in the conversation, including the bot.
  const ids = typeof people === 'string' ? [] : people.map(({ id }) => id)
  return { type: /** @type {const} */ ('direct'), to: ids }
}

import { ApiError, call, follow, isEvent, messages, scheduledMessages, users } from '@parley/client'

const SECONDS = { minute: 60, hour: 3_600, day: 86_400, week: 604_800 }
const HELP =
  'Send `in 10 minutes check the cake` (or hours, days, or weeks), `list`, or `forget` with the number of a reminder.'

const { PARLEY_URL = '', PARLEY_EMAIL = '', PARLEY_API_KEY = '' } = process.env
const bot = { url: PARLEY_URL, email: PARLEY_EMAIL, apiKey: PARLEY_API_KEY }

const { user_id: own } = await call(bot, users.getOwnUser, {})
const interests = { event_types: ['message'], fetch_event_types: [] }
await follow(bot, interests, {
  onEvent(event) {
    if (!isEvent(event, messages.messageSent)) return
    const { type, sender_id: person, content } = event.message
    if (type === 'private' && person !== own) answer(person, content.trim()).catch(console.error)
  },
})

/** @param {number} person @param {string} words */
async function answer(person, words) {
  let content = ''
  try {
    content = await runCommand(person, words)
  } catch (error) {
    // The server's error messages are readable sentences.
    if (!(error instanceof ApiError)) throw error
    content = error.message
  }
  await call(bot, messages.sendMessage, { type: 'direct', to: [person], content })
}

/** @param {number} person @param {string} words @returns {Promise<string>} the reply */
async function runCommand(person, words) {
  const [, count, unit, what] = /^in (\d{1,4}) (minute|hour|day|week)s? (.+)$/is.exec(words) ?? []
  if (what !== undefined) return remind(person, Number(count) * SECONDS[unitOf(unit)], what)
  const [, number] = /^forget (\d{1,15})$/i.exec(words) ?? []
  if (number !== undefined) return forget(person, Number(number))
  return /^list$/i.test(words) ? list(person) : HELP
}

/** @param {string | undefined} word @returns {keyof typeof SECONDS} */
function unitOf(word) {
  // Safe: the regular expression matches no other words.
  return /** @type {keyof typeof SECONDS} */ (word?.toLowerCase())
}

/** @param {number} person @param {number} seconds from now @param {string} what */
async function remind(person, seconds, what) {
  const at = Math.floor(Date.now() / 1000) + seconds
  const later = { scheduled_delivery_timestamp: at, content: `⏰ ${what}` }
  await call(bot, scheduledMessages.createScheduledMessage, { type: 'direct', to: [person], ...later })
  return `Reminder set for ${timeText(at)}.`
}

/** @param {number} person @param {number} number */
async function forget(person, number) {
  // The server would let the bot delete other people's reminders.
  if (!(await remindersOf(person)).some(({ scheduled_message_id: id }) => id === number))
    return 'You have no reminder with that number.'
  await call(bot, scheduledMessages.deleteScheduledMessage, { scheduled_message_id: number })
  return 'Reminder deleted.'
}

/** @param {number} person */
async function list(person) {
  const lines = (await remindersOf(person)).map(
    ({ scheduled_message_id: id, scheduled_delivery_timestamp: at, content }) => `- ${id}, ${timeText(at)}: ${content}`,
  )
  return lines.length === 0 ? 'You have no reminders.' : lines.join('\n')
}

/** @param {number} person */
async function remindersOf(person) {
  const { scheduled_messages: all } = await call(bot, scheduledMessages.getScheduledMessages, {})
  return all.filter(({ to }) => typeof to !== 'number' && to.includes(person))
}

/** A time that readers see in their own time zone. @param {number} at */
function timeText(at) {
  return `<time:${new Date(at * 1000).toISOString()}>`
}

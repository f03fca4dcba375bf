/*
 * Ten thousand people in a channel. The API makes one user at a time, each with a slowly hashed password; here they
 * are copies of the owner's rows. Everything after that, beginning with their queues, goes through the API.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { clientOf, OWNER, ownerKey } from './product.js'

export const CHANNEL = 'bench'
/** A send to the channel, but for its text. */
export const FORM = `type=stream&to=${CHANNEL}&topic=bench`
/** Files that this and the started processes have open besides one connection for each reader. */
const OTHER_FILES = 200
const REGISTERING_AT_ONCE = 32

/**
 * @typedef {object} Person
 * @property {string} name
 * @property {string} email
 * @property {string} key of the API
 */

/** Fails where a process may not have that many connections. @param {number} connections */
export function needFiles(connections) {
  const allowed = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  if (allowed === undefined || Number(allowed) >= connections + OTHER_FILES) return
  throw new Error(
    `this needs ${connections + OTHER_FILES} open files in one process, and ${allowed} are allowed: raise the hard limit (ulimit -Hn)`,
  )
}

/**
 * Makes people and channels to which they are subscribed. The product must be started anew before it knows them. Where there are several
 * organizations of the owner's address with such channels, each gets as many.
 * @param {import('./product.js').Product} product
 * @param {number} count
 * @param {Readonly<Record<string, number>>} [channels] how many are subscribed, by name: the first of the people
 * @returns {Promise<Person[]>}
 */
export async function addPeople(product, count, channels = { [CHANNEL]: count }) {
  const authorization = basic(OWNER.email, await ownerKey(product))
  const answer = await fetch(`${product.url}/api/v1/users/me/subscriptions`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ subscriptions: JSON.stringify(Object.keys(channels).map((name) => ({ name }))) }),
  })
  if (!answer.ok) throw new Error(`the channels cannot be made: ${await answer.text()}`)
  const people = Array.from({ length: count }, (_, index) => ({
    name: `Reader ${index}`,
    email: `reader${index}@example.com`,
    key: `key-of-reader-${index}`.padEnd(32, '0'),
  }))
  const client = await clientOf(product.data)
  try {
    const given = [people.map(({ name }) => name), people.map(({ email }) => email), people.map(({ key }) => key)]
    await client.query(COPY_OWNER, [OWNER.email, ...given, channels])
    // Tables that are still empty are left out: every plan made soon after would be one for an empty table.
    await client.query('analyze users, credentials, subscriptions')
  } finally {
    await client.end()
  }
  return people
}

/** Whatever columns there are. Users get the next positions as ids, as if they had been made one after the other. */
const COPY_OWNER = `
  with owner as (select u.*, o.position from users u join organizations o on o.id = u.organization_id
                 where u.delivery_email = $1),
  person as (select owner.organization_id, owner.position + n as id, n, given.name, given.email as address, given.key
             from owner, unnest($2::text[], $3::text[], $4::text[]) with ordinality as given(name, email, key, n)),
  added as (insert into users select copy.* from owner join person using (organization_id), jsonb_populate_record(null::users, to_jsonb(owner)
      || jsonb_build_object('id', person.id, 'email', address, 'email_key', address, 'delivery_email', address,
                            'delivery_email_key', address, 'full_name', person.name, 'role', 400)) copy),
  known as (insert into credentials select copy.* from person
      join owner using (organization_id) join credentials c on (c.organization_id, c.user_id) = (owner.organization_id, owner.id),
      jsonb_populate_record(null::credentials, to_jsonb(c)
      || jsonb_build_object('user_id', person.id, 'api_key', person.key, 'password_hash', null)) copy),
  subscribed as (insert into subscriptions select copy.* from jsonb_each_text($5::jsonb) as wanted(channel, people)
      join channels c on c.name = wanted.channel
      join owner on owner.organization_id = c.organization_id
      join subscriptions s on s.organization_id = c.organization_id and s.user_id = owner.id and s.channel_id = c.id
      join person on person.organization_id = c.organization_id and person.n <= wanted.people::int,
      jsonb_populate_record(null::subscriptions, to_jsonb(s) || jsonb_build_object('user_id', person.id)) copy)
  update organizations o set position = o.position + cardinality($2::text[]) from owner where o.id = owner.organization_id`

/**
 * Registers a queue for each, as a client does that shows messages.
 * @param {string} url
 * @param {readonly Person[]} people
 * @returns {Promise<import('../load/polls.js').Reader[]>}
 */
export async function register(url, people) {
  const agent = new Agent({ keepAlive: true, maxSockets: REGISTERING_AT_ONCE })
  const body = new URLSearchParams({
    event_types: '["message"]',
    fetch_event_types: '[]',
    apply_markdown: 'true',
  }).toString()
  try {
    return await Promise.all(
      people.map(async ({ email, key }) => {
        const authorization = basic(email, key)
        const answer = await post(agent, `${url}/api/v1/register`, authorization, body)
        // As api.md declares it.
        const { queue_id: queueId } = /** @type {{ queue_id: string }} */ (JSON.parse(answer))
        return { queueId, authorization }
      }),
    )
  } finally {
    agent.destroy()
  }
}

/**
 * @param {string} email
 * @param {string} key
 */
export function basic(email, key) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
}

/**
 * @param {Agent} agent
 * @param {string} url
 * @param {string} authorization
 * @param {string} body
 * @returns {Promise<string>}
 */
function post(agent, url, authorization, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${url} answered ${text}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/* Adds thousands of people to a channel by copying the owner's rows, because the API hashes passwords slowly. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connectToDatabase, OWNER, ownerKey } from './product.js'

export const CHANNEL = 'bench'
export const FORM = `type=stream&to=${CHANNEL}&topic=bench`
/** File descriptors needed in addition to one connection per reader. */
const RESERVED_DESCRIPTORS = 200
const REGISTRATIONS_AT_ONCE = 32

/** @typedef {{ name: string, email: string, key: string }} Person `key` is the API key */

/** Throws if the file descriptor limit is too low. @param {number} connections */
export function requireFileDescriptors(connections) {
  const allowed = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  if (allowed === undefined || Number(allowed) >= connections + RESERVED_DESCRIPTORS) return
  throw new Error(
    `one process needs ${connections + RESERVED_DESCRIPTORS} open files but may open only ${allowed}: raise the hard limit (ulimit -Hn)`,
  )
}

/**
 * Creates channels, and people who subscribe to them, in every organization to which OWNER belongs. The product sees
 * the people after a restart.
 * @param {import('./product.js').Product} product @param {number} count
 * @param {Readonly<Record<string, number>>} [channels] subscriber count by channel; for 5, the first 5 people subscribe
 * @returns {Promise<Person[]>}
 */
export async function addPeople(product, count, channels = { [CHANNEL]: count }) {
  const authorization = basicAuthorization(OWNER.email, await ownerKey(product))
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
  const client = await connectToDatabase(product.data)
  try {
    const given = [people.map(({ name }) => name), people.map(({ email }) => email), people.map(({ key }) => key)]
    await client.query(COPY_OWNER, [OWNER.email, ...given, channels])
    // Skips empty tables, because analyzing them would make the planner choose plans for empty tables later.
    await client.query('analyze users, credentials, subscriptions')
  } finally {
    await client.end()
  }
  return people
}

/** User IDs are the next log positions, as if the API had created the users. */
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

/** @param {string} url @param {readonly Person[]} people @returns {Promise<import('../load/polls.js').Reader[]>} */
export async function registerQueues(url, people) {
  const agent = new Agent({ keepAlive: true, maxSockets: REGISTRATIONS_AT_ONCE })
  const body = new URLSearchParams({
    event_types: '["message"]',
    fetch_event_types: '[]',
    apply_markdown: 'true',
  }).toString()
  try {
    return await Promise.all(
      people.map(async ({ email, key }) => {
        const authorization = basicAuthorization(email, key)
        const answer = await postForm(agent, `${url}/api/v1/register`, authorization, body)
        // Safe: api.md declares the field.
        const { queue_id: queueId } = /** @type {{ queue_id: string }} */ (JSON.parse(answer))
        return { queueId, authorization }
      }),
    )
  } finally {
    agent.destroy()
  }
}

/** @param {string} email @param {string} key */
export function basicAuthorization(email, key) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
}

/**
 * @param {Agent} agent @param {string} url @param {string} authorization @param {string} body
 * @returns {Promise<string>}
 */
function postForm(agent, url, authorization, body) {
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

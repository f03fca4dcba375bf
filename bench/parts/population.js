/*
 * An organization with many people, made by copying its owner in the database: adding them one by one takes minutes.
 */
import { join } from 'node:path'
import pg from 'pg'
import { OWNER, ownerKey, withProduct } from './product.js'

/**
 * Everybody logs in with the owner's API key and an address of their own.
 * @typedef {object} Person
 * @property {string} name
 * @property {string} authorization
 */

const PEOPLE = `
with o as (select * from users where delivery_email = $1),
grown as (update organizations set position = position + $2 returning id, position),
made as (
  insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
                     date_joined, settings)
  select o.organization_id, grown.position - $2 + n, 'person' || n || '@example.com', 'person' || n || '@example.com',
         'person' || n || '@example.com', 'person' || n || '@example.com', 'Person ' || n, 400, o.date_joined, o.settings
  from o, grown, generate_series(1, $2) n returning organization_id, id)
insert into credentials (organization_id, user_id, api_key)
select made.organization_id, made.id, c.api_key
from made, o join credentials c on c.organization_id = o.organization_id and c.user_id = o.id`

const SUBSCRIPTIONS = `
insert into subscriptions (organization_id, user_id, channel_id, periods, color)
select c.organization_id, u.id, c.id, int8multirange(int8range(u.id, null)), '#76ce90'
from channels c join lateral (
  select u.id from users u where u.organization_id = c.organization_id and u.delivery_email like 'person%'
  order by u.id limit $2) u on true
where c.name = $1
on conflict do nothing`

/**
 * Starts the product once on an empty data directory and leaves it with people and channels.
 * @param {string} data the data directory
 * @param {number} people
 * @param {Readonly<Record<string, number>>} channels subscribers by name; the first of the people are subscribed
 * @returns {Promise<readonly Person[]>} who is there after the next start
 */
export function populate(data, people, channels) {
  return withProduct({ data }, async (product) => {
    const key = await ownerKey(product)
    for (const name of Object.keys(channels)) {
      const answer = await fetch(`${product.url}/api/v1/users/me/subscriptions`, {
        method: 'POST',
        headers: { authorization: authorizationOf(OWNER.email, key) },
        body: new URLSearchParams({ subscriptions: JSON.stringify([{ name }]) }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const database = new pg.Client({ host: join(data, 'postgres'), user: 'parley', database: 'parley' })
    await database.connect()
    await database.query(PEOPLE, [OWNER.email, people])
    for (const [name, subscribers] of Object.entries(channels)) await database.query(SUBSCRIPTIONS, [name, subscribers])
    await database.query('analyze')
    await database.end()
    return Array.from({ length: people }, (_, index) => ({
      name: `Person ${index + 1}`,
      authorization: authorizationOf(`person${index + 1}@example.com`, key),
    }))
  })
}

/** @param {string} email @param {string} key */
export function authorizationOf(email, key) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
}

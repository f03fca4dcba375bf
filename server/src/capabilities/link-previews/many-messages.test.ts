import { hash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keysOf, recordWith } from '../../kernel/keys.ts'
import { FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { signIn } from '../../testing/browser.ts'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { PREVIEW_LIMIT } from './contract.ts'
import { deleteSurplusPreviews } from './jobs/index.ts'
import { MESSAGES_PER_TRANSACTION } from './queries.ts'
import { contentOf, createSceneOn, waitForPreviews, WAIT_OPTIONS, type Scene } from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

/** Needs seven transactions of 20 messages; the last transaction is half full. */
const MESSAGE_COUNT = 130
const TRANSACTION_COUNT = 7

interface LinkedScene extends Scene {
  readonly linking: readonly number[]
  readonly stranger: TestUser
}

const query = async (text: string, values: readonly unknown[]): Promise<Body[]> =>
  (await server().parley.database.pool.query<Body>(text, [...values])).rows

/** Creates messages that link an image, which is not fetched before `makeLinkDue`. */
async function createLinkedMessages(): Promise<LinkedScene> {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
  const place = await createSceneOn(server(), (_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
  )
  const url = place.at('/p.png')
  await query(
    'insert into link_previews (organization_id, id, url, url_digest, due_at) values ($1, 1000000, $2, $3, $4)',
    [place.id, url, hash('sha256', url, 'buffer'), FAR_FUTURE_SECONDS],
  )
  const linking = await Promise.all(Array.from({ length: MESSAGE_COUNT }, async () => place.ann.send('news', 'a', url)))
  await expect.poll(async () => countLinkRows(place), WAIT_OPTIONS).toBe(MESSAGE_COUNT)
  return { ...place, linking: linking.toSorted((a, b) => a - b), stranger: await place.user('Stranger') }
}

/** Makes the link due, as after a crash of another server. */
const makeLinkDue = async ({ id }: Scene): Promise<unknown> =>
  query('update link_previews set due_at = 1, begun_until = 0 where organization_id = $1 and id = 1000000', [id])

const addNewerPreviews = async ({ id }: Scene): Promise<unknown> =>
  query(
    `insert into link_previews (organization_id, id, url, url_digest, fetched_at)
     select $1, 2000000 + n, 'http://localhost/', sha256(n::text::bytea), 4000000000 from generate_series(1, $2::int) n`,
    [id, PREVIEW_LIMIT.most],
  )

async function linkedRow({ id }: Scene): Promise<Body | undefined> {
  const [row] = await query('select * from link_previews where organization_id = $1 and id = 1000000', [id])
  return row
}

async function countLinkRows({ id }: Scene): Promise<number> {
  const [row] = await query('select count(*)::int as count from link_preview_messages where organization_id = $1', [id])
  return Number(row?.['count'])
}

async function messagesShowingPreview({ id }: Scene): Promise<number[]> {
  const found = await query(
    `select id from messages where organization_id = $1 and rendered_content like '%message_inline_image%' order by id`,
    [id],
  )
  return found.map((row) => Number(row['id']))
}

/** Makes the transaction that rewrites this message fail. @returns a function that undoes this */
async function failAtMessage(message: number): Promise<() => Promise<unknown>> {
  await server().parley.database.pool.query(`
    create or replace function die() returns trigger language plpgsql as $$ begin
      if new.id = ${message} then raise exception 'the server dies here'; end if;
      return new;
    end $$;
    create trigger die before update on messages for each row execute function die()`)
  const live = async (): Promise<unknown> =>
    server().parley.database.pool.query('drop trigger if exists die on messages')
  onTestFinished(async () => void (await live()))
  return live
}

async function updatesFor<Name extends string>(
  look: () => Promise<Record<Name, Body[]>>,
): Promise<Record<Name, number[]>> {
  const seen = await look()
  return recordWith(keysOf(seen), (name) => {
    for (const event of seen[name])
      expect(event).toMatchObject({ type: 'update_message', rendering_only: true, user_id: null })
    return seen[name].map(({ message_id }) => Number(message_id)).toSorted((a, b) => a - b)
  })
}

const imageUrlIn = (html: string): string => /\/external_content\/[\w-]{24}\/[\w.-]+/.exec(html)?.[0] ?? ''

describe('previews of links in many messages', () => {
  it('adds a preview to many messages in batches and notifies readers once about each message', async () => {
    const place = await createLinkedMessages()
    const { owner, ann, stranger, linking, id } = place
    const look = await watch({ owner, ann, stranger })
    await makeLinkDue(place)
    await waitForPreviews(place, 1)
    expect(await messagesShowingPreview(place)).toEqual(linking)
    expect(await updatesFor(look)).toEqual({ owner: linking, ann: linking, stranger: [] })
    const written = await query(
      'select count(*)::int as messages from messages where organization_id = $1 and id = any($2) group by xmin::text',
      [id, linking],
    )
    expect(written.map(({ messages }) => messages)).toEqual(
      expect.arrayContaining([MESSAGES_PER_TRANSACTION, MESSAGE_COUNT % MESSAGES_PER_TRANSACTION]),
    )
    expect(written).toHaveLength(TRANSACTION_COUNT)
  })

  it('continues adding a preview to messages on another server after a crash', async () => {
    const place = await createLinkedMessages()
    const { owner, ann, stranger, site, linking } = place
    const look = await watch({ owner, ann, stranger })
    // The newest messages come first, so the crash hits the third batch.
    const live = await failAtMessage(linking.at(-2 * MESSAGES_PER_TRANSACTION - 5) ?? 0)
    await makeLinkDue(place)
    const first = linking.slice(-2 * MESSAGES_PER_TRANSACTION)
    await expect.poll(async () => messagesShowingPreview(place), WAIT_OPTIONS).toEqual(first)
    expect(await updatesFor(look)).toEqual({ owner: first, ann: first, stranger: [] })
    const row = await linkedRow(place)
    expect(row).toMatchObject({ width: 30, attempts: 1 })
    expect(Number(row?.['begun_until'])).toBe(Number(row?.['due_at']))
    expect(Number(row?.['begun_until'])).toBeGreaterThan(Date.now() / 1000)
    await live()
    await makeLinkDue(place)
    await waitForPreviews(place, 1)
    const others = linking.slice(0, -2 * MESSAGES_PER_TRANSACTION)
    expect(await messagesShowingPreview(place)).toEqual(linking)
    expect(await updatesFor(look)).toEqual({ owner: others, ann: others, stranger: [] })
    expect(site.received.length).toBe(2)
  })

  it('adds a preview to a message sent between two batches', async () => {
    const place = await createLinkedMessages()
    const { ann, at, linking } = place
    const live = await failAtMessage(linking.at(-1 * MESSAGES_PER_TRANSACTION - 5) ?? 0)
    await makeLinkDue(place)
    await expect
      .poll(async () => (await messagesShowingPreview(place)).length, WAIT_OPTIONS)
      .toBe(MESSAGES_PER_TRANSACTION)
    const later = await ann.send('news', 'a', at('/p.png'))
    await expect.poll(async () => contentOf(ann, later), WAIT_OPTIONS).toContain('message_inline_image')
    await live()
    await makeLinkDue(place)
    await waitForPreviews(place, 1)
    expect(await messagesShowingPreview(place)).toEqual([...linking, later])
  })
})

describe('removal of previews from many messages', () => {
  it('removes a preview from messages in batches before deleting its file', async () => {
    const place = await createLinkedMessages()
    const { owner, ann, stranger, linking } = place
    await makeLinkDue(place)
    await waitForPreviews(place, 1)
    const [newest = 0] = linking.slice(-1)
    const address = imageUrlIn(await contentOf(owner, newest))
    const browser = await signIn(owner)
    const look = await watch({ owner, ann, stranger })
    await addNewerPreviews(place)
    const live = await failAtMessage(linking.at(-2 * MESSAGES_PER_TRANSACTION - 5) ?? 0)
    await expect(runJob(server().parley, deleteSurplusPreviews)).rejects.toThrow('the server dies here')
    const others = linking.slice(0, -2 * MESSAGES_PER_TRANSACTION)
    const first = linking.slice(-2 * MESSAGES_PER_TRANSACTION)
    expect(await messagesShowingPreview(place)).toEqual(others)
    expect(await countLinkRows(place)).toBe(others.length)
    expect(await updatesFor(look)).toEqual({ owner: first, ann: first, stranger: [] })
    expect((await browser.fetches(address)).status).toBe(200)
    await live()
    await runJob(server().parley, deleteSurplusPreviews)
    expect(await messagesShowingPreview(place)).toEqual([])
    expect(await updatesFor(look)).toEqual({ owner: others, ann: others, stranger: [] })
    expect(await linkedRow(place)).toBeUndefined()
    expect(await countLinkRows(place)).toBe(0)
    expect((await browser.fetches(address)).status).toBe(404)
  })

  it('keeps a preview whose page is linked again between two removal batches', async () => {
    const place = await createLinkedMessages()
    const { owner, ann, at, linking, id } = place
    await makeLinkDue(place)
    await waitForPreviews(place, 1)
    await addNewerPreviews(place)
    const live = await failAtMessage(linking.at(-1 * MESSAGES_PER_TRANSACTION - 5) ?? 0)
    await expect(runJob(server().parley, deleteSurplusPreviews)).rejects.toThrow('the server dies here')
    await live()
    await query('update link_previews set fetched_at = 1 where organization_id = $1 and id = 1000000', [id])
    const later = await ann.send('news', 'a', at('/p.png'))
    await expect.poll(async () => contentOf(owner, later), WAIT_OPTIONS).toContain('message_inline_image')
    await expect.poll(async () => linkedRow(place), WAIT_OPTIONS).toMatchObject({ due_at: null })
    expect(await messagesShowingPreview(place)).toEqual([...linking.slice(0, -MESSAGES_PER_TRANSACTION), later])
  })
})

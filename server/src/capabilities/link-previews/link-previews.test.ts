import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { WAITING_PREVIEW_LIMIT } from './contract.ts'
import {
  contentOf,
  embedHtml,
  page,
  register,
  previewRows,
  createSceneOn,
  waitForPreviews,
  startSite,
  TITLED_PAGE,
  waitForGivenUpPreviews,
  messageUpdates,
  type Answer,
  type Scene,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createScene = async (answer: Answer, settings?: Body): Promise<Scene> => createSceneOn(server(), answer, settings)

const pageTitledByPath: Answer = ({ path }, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path}</title>`)

describe('link previews', () => {
  it('shows a preview of a linked page, and sends the update only to people who can read the message', async () => {
    const { owner, ann, user, site, at } = await createScene(page(TITLED_PAGE))
    const stranger = await user('Stranger')
    const [own, anns, others] = [await register(owner), await register(ann), await register(stranger)]
    const id = await ann.send('news', 'a', `See ${at('/x?a=1&b=2')}`)
    const href = at('/x?a=1&amp;b=2')
    const content = `<p>See <a href="${href}">${href}</a></p>${embedHtml(href, 'A title', 'What it is')}`
    for (const queue of [own, anns]) {
      const [told] = await messageUpdates(queue, 1)
      expect(told).toMatchObject({
        user_id: null,
        rendering_only: true,
        message_id: id,
        message_ids: [id],
        flags: [],
        content: `See ${at('/x?a=1&b=2')}`,
        rendered_content: content,
        is_me_message: false,
        stream_name: 'news',
      })
      for (const field of ['orig_content', 'orig_rendered_content', 'subject', 'to_preview'])
        expect(told).not.toHaveProperty(field)
    }
    expect(await contentOf(owner, id)).toBe(content)
    const asked = { anchor: id, num_before: 0, num_after: 0, apply_markdown: true }
    const [message] = (await owner.call('GET', '/messages', asked)).messages
    expect(message).toMatchObject({ content })
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(await others.events()).toEqual([])
    expect(site.received.map(({ method, path }) => [method, path])).toEqual([['GET', '/x?a=1&b=2']])
    // The request identifies the server but not the author.
    const headers = site.received[0]?.headers
    expect(headers?.['user-agent']).toMatch(/^Parley\//)
    for (const name of ['cookie', 'referer', 'authorization']) expect(headers?.[name]).toBeUndefined()
  })

  it('previews links in direct messages and fetches a page once per organization', async () => {
    const { owner, ann, site, at } = await createScene(page(TITLED_PAGE))
    const queue = await register(owner)
    await ann.sendTo([owner.id], at('/same'))
    await messageUpdates(queue, 1)
    const again = await ann.send('news', 'a', `Again: ${at('/same')}`)
    const [told] = await messageUpdates(queue, 1)
    expect(told).toMatchObject({ message_id: again, rendering_only: true })
    expect(site.received.length).toBe(1)
    const elsewhere = await server().organization()
    await elsewhere.owner.call('PATCH', '/realm', { inline_url_embed_preview: true })
    const other = await register(elsewhere.owner)
    await elsewhere.owner.sendTo([elsewhere.owner.id], at('/same'))
    await messageUpdates(other, 1)
    expect(site.received.length).toBe(2)
  })

  it('previews up to three visible links of a message', async () => {
    const place = await createScene(page(TITLED_PAGE))
    const { owner, ann, at } = place
    await owner.call('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: at('/issues/{id}') })
    const queue = await register(owner)
    const { state } = await owner.register({ event_types: ['realm'] })
    const hidden = [
      `> ${at('/quoted')}`,
      `\`\`\`spoiler x\n${at('/spoiled')}\n\`\`\``,
      `\`${at('/code')}\``,
      `<${at('/bracketed')}>`,
      `/me likes ${at('/me')}`,
      `/poll ${at('/poll')}`,
      '#17',
      'mailto:a@b.example and ftp://a.example/',
      `${state['realm_url']}/own`,
    ]
    for (const text of hidden) await ann.send('news', 'a', text)
    const id = await ann.send('news', 'a', `${at('/1')} [two](${at('/2')}) ${at('/1')} ${at('/3')} ${at('/4')}`)
    await messageUpdates(queue, 3)
    expect((await previewRows(place)).map(({ url }) => url)).toEqual([at('/1'), at('/2'), at('/3')])
    const shown = [...(await contentOf(owner, id)).matchAll(/message_embed_title"><a href="([^"]+)"/g)]
    expect(shown.map(([, href]) => href)).toEqual([at('/1'), at('/2'), at('/3')])
  })

  it('updates previews on edits and keeps them out of the edit history', async () => {
    const { owner, ann, at } = await createScene(pageTitledByPath)
    const queue = await register(owner)
    const id = await ann.send('news', 'a', at('/one'))
    await messageUpdates(queue, 1)
    await ann.call('PATCH', `/messages/${id}`, { content: at('/two') })
    const [edited, shown] = await messageUpdates(queue, 2)
    expect(edited).toMatchObject({ user_id: ann.id, rendering_only: false, content: at('/two') })
    for (const field of ['rendered_content', 'orig_rendered_content'])
      expect(edited?.[field]).not.toContain('message_embed')
    expect(shown).toMatchObject({ user_id: null, rendering_only: true })
    expect(shown?.['rendered_content']).toContain(embedHtml(at('/two'), '/two'))
    expect(shown?.['rendered_content']).not.toContain('/one')
    await ann.call('PATCH', `/messages/${id}`, { content: `${at('/one')} again` })
    const told = await messageUpdates(queue, 1)
    expect(told).toMatchObject([{ rendering_only: false }])
    expect(told[0]?.['rendered_content']).toContain(embedHtml(at('/one'), '/one'))
    await ann.call('PATCH', `/messages/${id}`, { content: `<${at('/one')}>` })
    expect((await messageUpdates(queue, 1))[0]?.['rendered_content']).not.toContain('message_embed')
    expect(await contentOf(owner, id)).not.toContain('message_embed')
    const { message_history } = await owner.call('GET', `/messages/${id}/history`)
    expect(JSON.stringify(message_history)).not.toContain('message_embed')
  })

  it('does not add a preview to messages that were edited or deleted during the fetch', async () => {
    const waiting: (() => void)[] = []
    const place = await createScene((_, response) => {
      waiting.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title>'))
    })
    const { owner, ann, site, at } = place
    const edited = await ann.send('news', 'a', at('/slow'))
    const deleted = await ann.send('news', 'a', at('/slow'))
    const still = await ann.send('news', 'a', at('/slow'))
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1)
    await ann.call('PATCH', `/messages/${edited}`, { content: 'nothing' })
    await owner.call('DELETE', `/messages/${deleted}`)
    const queue = await register(owner)
    waiting[0]?.()
    expect((await messageUpdates(queue, 1)).map(({ message_id }) => message_id)).toEqual([still])
    await waitForPreviews(place, 1)
    expect(await contentOf(owner, edited)).toBe('<p>nothing</p>')
    expect(await queue.events()).toEqual([])
    expect(site.received.length).toBe(1)
  })

  it('fetches previews only while the organization enables them', async () => {
    const { owner } = await server().organization()
    const site = await startSite(pageTitledByPath)
    const at = (path: string): string => `http://localhost:${site.port}${path}`
    const state = await owner.register()
    expect(state.state).toMatchObject({ realm_inline_url_embed_preview: false, server_inline_url_embed_preview: true })
    const id = await owner.sendTo([owner.id], at('/before'))
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: true })
    const queue = await register(owner)
    await owner.sendTo([owner.id], at('/asked'))
    await messageUpdates(queue, 1)
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: false })
    await owner.sendTo([owner.id], at('/after'))
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: true })
    await owner.sendTo([owner.id], at('/again'))
    await messageUpdates(queue, 1)
    expect(site.received.map(({ path }) => path)).toEqual(['/asked', '/again'])
    expect(await contentOf(owner, id)).not.toContain('message_embed')
  })
})

describe('cached link previews', () => {
  it('refetches an old preview, and keeps the old preview if the page no longer exists', async () => {
    let asked = 0
    const place = await createScene((_, response) => {
      asked += 1
      if (asked === 2) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${asked}</title>`)
    })
    const { owner, ann, at } = place
    const queue = await register(owner)
    const age = async (): Promise<unknown> =>
      server().parley.database.pool.query(
        'update link_previews set fetched_at = fetched_at - 8 * 86400 where organization_id = $1',
        [place.id],
      )
    const first = await ann.send('news', 'a', at('/x'))
    await messageUpdates(queue, 1)
    await age()
    const second = await ann.send('news', 'a', at('/x'))
    expect(await messageUpdates(queue, 1)).toMatchObject([{ message_id: second }])
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(2)
    await waitForPreviews(place, 1)
    for (const id of [first, second]) expect(await contentOf(owner, id)).toContain(embedHtml(at('/x'), '1'))
    await age()
    await ann.send('news', 'a', at('/x'))
    // The first update adds the cached preview to the third message; three more refresh all three messages.
    const told = await messageUpdates(queue, 4)
    expect(told.slice(1).map(({ rendered_content }) => String(rendered_content).includes('>3</a>'))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('retries a failing site once, and again only after an hour', async () => {
    const place = await createScene((_, response) => response.writeHead(503).end())
    await place.ann.send('news', 'a', place.at('/x'))
    await waitForGivenUpPreviews(place, 1)
    expect(place.site.received.length).toBe(2)
    await place.ann.send('news', 'a', place.at('/x'))
    await place.ann.send('news', 'a', place.at('/y'))
    await waitForGivenUpPreviews(place, 2)
    expect(place.site.received.map(({ path }) => path)).toEqual(['/x', '/x', '/y', '/y'])
  })

  it('limits how many previews of an organization can be pending', async () => {
    const place = await createScene(page(TITLED_PAGE))
    const wait = async (from: number, count: number): Promise<unknown> =>
      server().parley.database.pool.query(
        `insert into link_previews (organization_id, id, url, url_digest, due_at)
         select $1, n, 'http://localhost/', sha256(n::text::bytea), 4000000000
         from generate_series($2::int, $2::int + $3::int - 1) n`,
        [place.id, from, count],
      )
    await wait(1_000_000, WAITING_PREVIEW_LIMIT.most - 1)
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', place.at('/fits'))
    await messageUpdates(queue, 1)
    await wait(2_000_000, 1)
    await place.ann.send('news', 'a', place.at('/does-not'))
    await place.ann.send('news', 'a', `${place.at('/fits')} known`)
    await messageUpdates(queue, 1)
    expect(place.site.received.map(({ path }) => path)).toEqual(['/fits'])
  })
})

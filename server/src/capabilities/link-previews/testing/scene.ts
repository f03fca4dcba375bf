import { expect, onTestFinished } from 'vitest'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import type { Body, TestQueue, TestUser } from '../../../testing/user.ts'
import { startWebServer, type WebServer } from '../../../testing/web-server.ts'

export const WAIT_OPTIONS = { timeout: 20_000, interval: 50 }

export type Answer = Parameters<typeof startWebServer>[0]

export interface Scene extends TestOrganization {
  readonly server: TestServer
  readonly ann: TestUser
  readonly site: WebServer
  readonly at: (path: string, host?: string) => string
}

export async function startSite(answer: Answer): Promise<WebServer> {
  const site = await startWebServer(answer)
  onTestFinished(async () => site.close())
  return site
}

export const page = (html: string, type = 'text/html'): Answer => {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(html)
}

export const TITLED_PAGE = '<title>A title</title><meta name="description" content="What it is">'

export async function createSceneOn(server: TestServer, answer: Answer, settings: Body = {}): Promise<Scene> {
  const organization = await server.organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.call('PATCH', '/realm', { inline_url_embed_preview: true, ...settings })
  const site = await startSite(answer)
  return { ...organization, server, ann, site, at: (path, host = 'localhost') => `http://${host}:${site.port}${path}` }
}

export const register = async (user: TestUser): Promise<TestQueue> => user.register({ event_types: ['update_message'] })

export async function messageUpdates(queue: TestQueue, count: number): Promise<Body[]> {
  const seen: Body[] = []
  await expect
    .poll(async () => {
      seen.push(...(await queue.events()).filter(({ type }) => type === 'update_message'))
      return seen.length
    }, WAIT_OPTIONS)
    .toBeGreaterThanOrEqual(count)
  return seen
}

export async function contentOf(user: TestUser, id: number): Promise<string> {
  const { message } = await user.call('GET', `/messages/${id}`, { apply_markdown: true })
  return message['content']
}

export async function previewRows({ id, server }: Pick<Scene, 'id' | 'server'>): Promise<Body[]> {
  const { rows: found } = await server.parley.database.pool.query<Body>(
    'select * from link_previews where organization_id = $1 order by id',
    [id],
  )
  return found
}

export async function countRows({ id, server }: Pick<Scene, 'id' | 'server'>, condition = 'true'): Promise<number> {
  const text = `select count(*)::int as count from link_previews where organization_id = $1 and ${condition}`
  const { rows: found } = await server.parley.database.pool.query<{ count: number }>(text, [id])
  return found[0]?.count ?? 0
}

export async function waitForPreviews(place: Pick<Scene, 'id' | 'server'>, count: number): Promise<void> {
  await expect.poll(async () => waitForConsumers(place), WAIT_OPTIONS).toBe(count)
}

async function waitForConsumers(place: Pick<Scene, 'id' | 'server'>): Promise<number> {
  return countRows(place, 'fetched_at is not null and due_at is null')
}

export async function waitForGivenUpPreviews(place: Scene, count: number): Promise<void> {
  await expect
    .poll(async () => {
      await place.server.parley.database.pool.query(
        'update link_previews set due_at = 0 where organization_id = $1 and due_at is not null and begun_until = 0',
        [place.id],
      )
      return waitForConsumers(place)
    }, WAIT_OPTIONS)
    .toBe(count)
}

export function embedHtml(href: string, title: string, description = ''): string {
  const words = description === '' ? '' : `<div class="message_embed_description">${description}</div>`
  return (
    `\n<div class="message_embed"><div class="data-container"><div class="message_embed_title">` +
    `<a href="${href}" title="${title}">${title}</a></div>${words}</div></div>`
  )
}

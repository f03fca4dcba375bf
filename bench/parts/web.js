/* The web client of a large organization in a browser, and minimal pages for comparison. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.js'
import { withBrowser } from './browser.js'
import { LARGE_ORGANIZATION, ensureOrganization } from './organizations.js'
import { connectToDatabase, OWNER, withProduct } from './product.js'

export const BUILT_CLIENT = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** @import { Browser, BrowserContext, Page } from './browser.js' @import { Person } from '../generate/write.js' */

/**
 * @typedef {object} Web
 * @property {Browser} browser @property {string} url @property {import('../generate/write.js').Landmarks} landmarks
 * @property {string} longTopic path of the topic with 100,000 messages
 * @property {(context: BrowserContext, person?: Pick<Person, 'email'>) => Promise<void>} signIn
 */

/** @template T @param {(web: Web) => Promise<T>} use @param {import('../generate/shape.js').Size} [size] */
export async function withWeb(use, size = LARGE_ORGANIZATION) {
  const { data, landmarks } = await ensureOrganization(size)
  return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async ({ url }) => {
    const people = [landmarks.active, ...landmarks.others.slice(0, 2)]
    await setPasswords(data, people)
    return withBrowser((browser) =>
      use({
        browser,
        url,
        landmarks,
        longTopic: `/c/${landmarks.channelId}/t/${encodeURIComponent(landmarks.longTopic?.name ?? '')}`,
        async signIn(context, { email } = landmarks.active) {
          const form = { username: email, password: OWNER.password }
          const answer = await context.request.post(`${url}/api/v1/login`, { form, headers: { origin: url } })
          if (!answer.ok()) throw new Error(`${email} cannot sign in: ${await answer.text()}`)
        },
      }),
    )
  })
}

/** Gives generated people the owner's password. @param {string} data @param {readonly Person[]} people */
async function setPasswords(data, people) {
  const client = await connectToDatabase(data)
  try {
    await client.query(
      `update credentials c set password_hash = o.password_hash from credentials o, users u
       where u.email_key = $1 and o.organization_id = u.organization_id and o.user_id = u.id
         and c.organization_id = u.organization_id and c.user_id = any($2::bigint[])`,
      [OWNER.email, people.map(({ id }) => id)],
    )
  } finally {
    await client.end()
  }
}

/** Responses of a bare server by path. @typedef {Record<string, { type: string, body: string }>} Pages */

/** @template T @param {Pages} pages @param {(url: string) => Promise<T>} use */
export async function withBarePages(pages, use) {
  const child = startChild('bare/pages.js')
  try {
    const { url } = /** @type {{ url: string }} */ (await child.ask({ pages }))
    return await use(url)
  } finally {
    await child.stop()
  }
}

/** @param {Page} page */
export function composerOf(page) {
  return page.getByRole('textbox', { name: /^Message to/ })
}

/** HTML of the rows in a message list. @param {Page} page */
export async function rowsOf(page) {
  return page.evaluate(() => [...document.querySelectorAll('.list-item')].map((row) => row.outerHTML))
}

/** Uses the client's styles and list markup. @param {string} script @param {string} [more] markup for the sidebar */
export function barePage(script, more = '') {
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><meta charset="utf-8"><style>${readStyles()}</style>
<div id="app"><div class="frame"><nav class="sidebar">${more}</nav><main class="main"><div class="list-frame"><div class="list">
<div class="list-rows"></div></div></div></main></div></div><script>${script}</script>`,
  }
}

function readStyles() {
  const name = readdirSync(BUILT_CLIENT).find((file) => /^app-\w+\.css$/.test(file) && isLinkedFromPage(file)) ?? ''
  return readFileSync(join(BUILT_CLIENT, name), 'utf8')
}

/** Whether the client's page links to a file. Other files belong to earlier builds. @param {string} file */
export function isLinkedFromPage(file) {
  return readFileSync(join(BUILT_CLIENT, 'shell.html'), 'utf8').includes(file)
}

/** @param {BrowserContext} context @param {Pick<Web, 'url' | 'longTopic' | 'signIn'>} web */
export async function openLongTopic(context, { url, longTopic, signIn }) {
  await signIn(context)
  const page = await context.newPage()
  await page.goto(url + longTopic)
  await page.locator('[data-row]').first().waitFor()
  return page
}

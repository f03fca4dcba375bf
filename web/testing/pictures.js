/*
 * `npm run pictures`: takes the README's screenshots of the demo organization in a browser. The result depends on the
 * machine's fonts, including the emoji font.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findBrowser, launchBrowser } from './program.js'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const PICTURES_FOLDER = join(ROOT, 'docs/pictures')
const PERSON = 'Freya Lund'

/** @type {readonly { name: string, path: string, options: import('playwright-core').BrowserContextOptions }[]} */
const PICTURES = [
  { name: 'light', path: 'product', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
  { name: 'dark', path: '', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } },
]

const demo = spawn(process.execPath, ['bin/parley.js', 'demo'], { cwd: ROOT, env: { ...process.env, PORT: '0' } })
try {
  const link = await readSignInLink(PERSON)
  const program = await findBrowser()
  if (program === undefined) throw new Error('There is no browser to take pictures with.')
  const browser = await launchBrowser(program)
  mkdirSync(PICTURES_FOLDER, { recursive: true })
  for (const picture of PICTURES) await takeScreenshot(browser, link, picture)
  await browser.close()
} finally {
  demo.kill('SIGINT')
}

/**
 * Reads a person's sign-in link from the output of the demo.
 * @param {string} person
 */
async function readSignInLink(person) {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, link] = /(http\S+\/login#link=\S+)/.exec(line) ?? []
    if (link !== undefined && line.includes(person)) return link
  }
  throw new Error(`The demonstration printed no link for ${person}.`)
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} link
 * @param {(typeof PICTURES)[number]} picture
 */
async function takeScreenshot(browser, link, { name, path, options }) {
  const context = await browser.newContext({ ...options, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  if (path !== '') {
    await page
      .getByRole('main')
      .getByRole('link', { name: /spring release/ })
      .first()
      .click()
    await page.getByRole('feed').getByRole('article').first().waitFor()
  }
  // Profile pictures load last.
  await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.loading === 'lazy'))
  await page.screenshot({ path: join(PICTURES_FOLDER, `${name}.png`) })
  await context.close()
}

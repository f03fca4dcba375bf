import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { packageClient } from '../../client/pack.js'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openWindow, useBrowser } from './browser.ts'

const ROOT = join(import.meta.dirname, '../..')

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const ANSWERING_PROGRAM = `
  import { call, follow, isEvent, messages } from './client/index.js'
  export async function answerOne(bot) {
    const ended = new AbortController()
    await follow(bot, { event_types: ['message'] }, {
      onState: () => document.body.dataset.bot = 'listens',
      onEvent(event) {
        if (!isEvent(event, messages.messageSent)) return
        const { sender_id, content } = event.message
        ended.abort(call(bot, messages.sendMessage, { type: 'direct', to: [sender_id], content }))
      },
    }, ended.signal)
    return await ended.signal.reason
  }`

describe.skipIf(!hasBrowser)('client package', () => {
  it('answers messages in a page with the client package, and bundles only imported endpoints', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-package-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await packageClient(ROOT, join(folder, 'client'))
    const { outputFiles } = await build({
      stdin: { contents: ANSWERING_PROGRAM, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'program',
      platform: 'browser',
    })
    const code = outputFiles.map(({ text }) => text).join('')
    expect([code.includes('/messages"'), code.includes('/saved_snippets"')]).toEqual([true, false])
    const { owner, user } = await server().organization()
    const { url, email, apiKey, host, id } = await user('Echo', { bot: { ownerId: owner.id } })
    const page = await (await openWindow(browser())).newPage()
    await page.goto(addressOf(owner, '/login'))
    // Evaluated by the debugger, which the page's content security policy does not restrict.
    await page.evaluate(`${code}\nglobalThis.program = program`)
    const bot = { url: `http://${host}:${new URL(url).port}`, email, apiKey }
    const answered = page.evaluate(`program.answerOne(${JSON.stringify(bot)})`)
    await page.locator('body[data-bot="listens"]').waitFor({ state: 'attached' })
    await owner.sendTo([id], 'Is there anybody?')
    expect(await answered).toMatchObject({ result: 'success' })
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 2, num_after: 0 })
    expect(messages).toMatchObject([{ sender_id: owner.id }, { sender_id: id, content: '<p>Is there anybody?</p>' }])
  })
})

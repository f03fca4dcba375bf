import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PIXEL, upload } from '../../server/src/testing/files.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { showView } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const PAYLOAD_CALL = 'window.hacked=1'
const PAYLOAD_TAGS = [
  'img',
  'svg',
  'body',
  'video',
  'audio',
  'iframe',
  'object',
  'embed',
  'details',
  'input',
  'marquee',
  'math',
]
const EVENT_ATTRIBUTES = ['onerror', 'onload', 'onclick', 'onfocus', 'ontoggle', 'onmouseover', 'onpointerenter']

/** Texts that would run a script if treated as HTML, an attribute, a URL, or a template. */
const PAYLOADS: readonly string[] = [
  `<script>${PAYLOAD_CALL}</script>`,
  `</script><script>${PAYLOAD_CALL}</script>`,
  `<scr<script>ipt>${PAYLOAD_CALL}</script>`,
  `"><script>${PAYLOAD_CALL}</script>`,
  `'-(${PAYLOAD_CALL})-'`,
  `" autofocus onfocus=${PAYLOAD_CALL} x="`,
  `javascript:${PAYLOAD_CALL}`,
  `[click](javascript:${PAYLOAD_CALL})`,
  `[click](JaVaScRiPt:${PAYLOAD_CALL})`,
  `[click](data:text/html,<script>${PAYLOAD_CALL}</script>)`,
  `[click](vbscript:${PAYLOAD_CALL})`,
  `![x](x" onerror="${PAYLOAD_CALL})`,
  `<a href="javascript:${PAYLOAD_CALL}">click</a>`,
  `<style>@import 'javascript:${PAYLOAD_CALL}'</style>`,
  `<iframe srcdoc="<script>parent.${PAYLOAD_CALL}</script>"></iframe>`,
  `<base href="javascript:/"><a href="${PAYLOAD_CALL}">x</a>`,
  `<template><script>${PAYLOAD_CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${PAYLOAD_CALL}>">`,
  `{{constructor.constructor('${PAYLOAD_CALL}')()}}`,
  `\${${PAYLOAD_CALL}}`,
  `#**<img src=x onerror=${PAYLOAD_CALL}>**`,
  `@**<img src=x onerror=${PAYLOAD_CALL}>**`,
  `:<img src=x onerror=${PAYLOAD_CALL}>:`,
  `\`\`\`<img src=x onerror=${PAYLOAD_CALL}>\ncode\n\`\`\``,
  `\`\`\`spoiler <img src=x onerror=${PAYLOAD_CALL}>\nx\n\`\`\``,
  `$$\\href{javascript:${PAYLOAD_CALL}}{x}$$`,
  `<time:2026-01-01T00:00:00Z"onclick="${PAYLOAD_CALL}>`,
  ...PAYLOAD_TAGS.flatMap((tag) =>
    EVENT_ATTRIBUTES.map((event) => `<${tag} src=x ${event}=${PAYLOAD_CALL} autofocus open>`),
  ),
]

/** Fails if user-supplied text has run a script on a page, or could run one when activated. */
async function expectSafe(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const shown = [...document.querySelectorAll(':is(main, aside, dialog, [popover], .whole, article) *')]
    const attributes = shown.flatMap((element) =>
      [...element.attributes]
        .filter(({ name, value }) => name.startsWith('on') || /^\s*(javascript|vbscript):/i.test(value))
        .map(({ name }) => `${element.tagName} ${name}`),
    )
    const elements = shown.filter((element) => element.matches('script, iframe, object, embed, style'))
    return { hacked: 'hacked' in window, risky: [...attributes, ...elements.map(({ tagName }) => tagName)] }
  })
  expect([where, found]).toEqual([where, { hacked: false, risky: [] }])
}

/** Hovers over each row of a list, and checks that each message shows its toolbar. */
async function hoverRows(page: Page): Promise<void> {
  const shown = await page.locator('.list').evaluateAll(async (lists) => {
    const [messages, tools]: [string[], string[]] = [[], []]
    for (const row of lists.flatMap((list) => [...list.querySelectorAll<HTMLElement>('[data-row]')])) {
      row.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }))
      await new Promise(requestAnimationFrame)
      const { row: id = '' } = row.dataset
      if (row.matches('article')) messages.push(id)
      if (row.querySelector('[role=toolbar]') !== null) tools.push(id)
    }
    return { messages, tools }
  })
  expect(shown.tools).toEqual(shown.messages)
}

describe.skipIf(!hasBrowser)('script injection', () => {
  it('never runs scripts embedded in user-supplied text, in any view', async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(100)
    const { owner, user } = await server().organization('"><img src=x onerror=window.hacked=1>')
    const friend = await user('Fred Friend')
    await friend.call('PATCH', '/settings', { full_name: '&lt;img src=x onerror=window.hacked=1' })
    const name = `<img src=x onerror=${PAYLOAD_CALL}>`
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: `<img src=x onerror=${PAYLOAD_CALL}> [x](javascript:${PAYLOAD_CALL})` }],
      principals: [owner.id, friend.id],
    })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: name })
    for (const [index, payload] of PAYLOADS.entries()) {
      const topic = index % 2 === 0 ? 'all of them' : payload.slice(0, 60).replaceAll('\n', ' ')
      await friend.call('POST', '/messages', { type: 'channel', to: stream_id, topic, content: payload })
    }
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: PAYLOADS.join('\n\n') })
    const drafts = PAYLOADS.slice(0, 20).map((content) => ({
      type: 'stream',
      to: [stream_id],
      topic: content.slice(0, 60).replaceAll('\n', ' '),
      content,
    }))
    await owner.call('POST', '/drafts', { drafts })

    const page = await openAs(browser(), owner)
    const paths = [
      '/inbox',
      '/recent',
      '/feed',
      `/c/${String(stream_id)}`,
      `/c/${String(stream_id)}/feed`,
      `/c/${String(stream_id)}/t/all%20of%20them`,
      `/dm/${friend.id}`,
      '/channels',
      '/writing',
      `/search?q=${encodeURIComponent(`<img src=x onerror=${PAYLOAD_CALL}>`)}`,
      `/c/${String(stream_id)}/t/${encodeURIComponent(`"><img src=x onerror=${PAYLOAD_CALL}>`)}`,
    ]
    for (const path of paths) {
      await showView(page, path)
      await hoverRows(page)
      await expectSafe(page, path)
    }
    await showView(page, `/dm/${friend.id}`)
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Go to/ }).fill('img')
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  it('never runs scripts in user-supplied text in the panel, images, cards, snippets, exports, or print', async () => {
    const image = `<img src=x onerror=${PAYLOAD_CALL}>`
    const { owner, user } = await server().organization('"><img src=x onerror=window.hacked=1>')
    const friend = await user('Fred Friend')
    // Contains only characters that names can have.
    await friend.call('PATCH', '/settings', { full_name: `&lt;img src=x onerror=${PAYLOAD_CALL}` })
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: image, description: `${image} [x](javascript:${PAYLOAD_CALL})` }],
      principals: [owner.id, friend.id],
    })
    const { stream_id: channelId } = await owner.call('GET', '/get_stream_id', { stream: image })
    for (const [index, type] of [1, 2, 5, 8].entries()) {
      const { id } = await owner.call('POST', '/realm/profile_fields', { name: `${index}${image}`, field_type: type })
      const value =
        { 2: `${image} [x](javascript:${PAYLOAD_CALL})`, 5: `https://example.com/"onclick="${PAYLOAD_CALL}` }[type] ??
        image
      await friend.call('PATCH', '/users/me/profile_data', { data: [{ id, value }] })
    }
    await friend.call('POST', '/users/me/status', { status_text: image })
    for (const [index, payload] of PAYLOADS.slice(0, 30).entries()) {
      const title = `${index} ${payload}`.slice(0, 60).trim()
      await owner.call('POST', '/saved_snippets', { title, content: payload })
    }
    const file = await upload(friend, `<img src=x onerror=${PAYLOAD_CALL}>.txt`, 'x')
    const picture = await upload(friend, `' onerror=${PAYLOAD_CALL}.png`, PIXEL)
    const first = await friend.call('POST', '/messages', {
      type: 'channel',
      to: channelId,
      topic: image,
      content: `[${image}](${file})\n\n[" onerror=${PAYLOAD_CALL} x="](${picture})`,
    })
    for (const content of PAYLOADS)
      await friend.call('POST', '/messages', { type: 'channel', to: channelId, topic: image, content })
    for (const topic of [`"><svg onload=${PAYLOAD_CALL}>`, `\u2714 "><svg onload=${PAYLOAD_CALL}>`])
      await owner.call('PATCH', `/messages/${String(first['id'])}`, { topic, propagate_mode: 'change_all' })
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: `[${image}](${picture})` })

    const topic = `/c/${String(channelId)}/t/${encodeURIComponent(`\u2714 "><svg onload=${PAYLOAD_CALL}>`)}`
    const page = await openAs(browser(), owner, `${topic}?near=${String(first['id'])}`)
    const panel = page.getByRole('complementary', { name: 'Details' })
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    await panel.getByText(/^Marked as resolved by/).waitFor()
    await panel.getByText('2', { exact: true }).last().waitFor()
    await expectSafe(page, 'the panel of a topic')
    await panel.getByRole('button', { name: /lt;img/ }).press('Enter')
    await page
      .getByRole('dialog', { name: /lt;img/ })
      .getByText(/^0<img/)
      .waitFor()
    await expectSafe(page, 'a card')
    await page.keyboard.press('Escape')
    await page
      .getByRole('feed')
      .getByRole('link', { name: /^Open image/ })
      .first()
      .click()
    await page
      .getByRole('dialog', { name: 'Image' })
      .getByRole('heading', { name: /onerror/ })
      .waitFor()
    await expectSafe(page, 'the viewer')
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('button', { name: 'Insert', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Saved snippets' }).click()
    await page.getByRole('dialog', { name: 'Saved snippets' }).getByRole('listitem').first().waitFor()
    await expectSafe(page, 'snippets')
    await page.keyboard.press('Escape')

    for (const [path, text] of [
      [`/c/${String(channelId)}`, /javascript/],
      [`/dm/${friend.id}`, /lt;img/],
    ] as const) {
      await showView(page, path)
      await panel.getByText(text).first().waitFor()
      await expectSafe(page, path)
    }
    expect(await page.locator('.to-chip').innerText()).toContain('&lt;img')

    await showView(page, topic)
    await page.getByRole('feed').getByRole('article').first().waitFor()
    const openWhole = async (): Promise<void> => {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Export conversation' }).click()
    }
    await openWhole()
    const downloading = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Save as a web page' }).click()
    const saved = await (await openWindow(browser(), { offline: true })).newPage()
    await saved.setContent(await readFile(await (await downloading).path(), 'utf8'))
    expect(await saved.getByRole('article').count()).toBeGreaterThan(PAYLOADS.length)
    await expectSafe(saved, 'what was saved')
    await page.evaluate(() => {
      window.print = () => undefined
    })
    await openWhole()
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
    await page.locator('body > .whole').waitFor({ state: 'attached' })
    await expectSafe(page, 'what is printed')
  })

  it('blocks unsanitized HTML with Trusted Types', async () => {
    const { owner } = await server().organization()
    const page = await openAs(browser(), owner, '/', { expectedError: /requires 'TrustedHTML'/ })
    const refused = await page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<b>x</b>'
        return false
      } catch (error) {
        return error instanceof TypeError
      }
    })
    expect(refused).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser, addressOf } from './browser.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const CALL = 'window.hacked=1'
const TAGS = [
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
const EVENTS = ['onerror', 'onload', 'onclick', 'onfocus', 'ontoggle', 'onmouseover', 'onpointerenter']

/** Texts that run a script where a text is taken for HTML, an attribute, an address or a template. */
const PAYLOADS: readonly string[] = [
  `<script>${CALL}</script>`,
  `</script><script>${CALL}</script>`,
  `<scr<script>ipt>${CALL}</script>`,
  `"><script>${CALL}</script>`,
  `'-(${CALL})-'`,
  `" autofocus onfocus=${CALL} x="`,
  `javascript:${CALL}`,
  `[click](javascript:${CALL})`,
  `[click](JaVaScRiPt:${CALL})`,
  `[click](data:text/html,<script>${CALL}</script>)`,
  `[click](vbscript:${CALL})`,
  `![x](x" onerror="${CALL})`,
  `<a href="javascript:${CALL}">click</a>`,
  `<style>@import 'javascript:${CALL}'</style>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<base href="javascript:/"><a href="${CALL}">x</a>`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`,
  `#**<img src=x onerror=${CALL}>**`,
  `@**<img src=x onerror=${CALL}>**`,
  `:<img src=x onerror=${CALL}>:`,
  `\`\`\`<img src=x onerror=${CALL}>\ncode\n\`\`\``,
  `\`\`\`spoiler <img src=x onerror=${CALL}>\nx\n\`\`\``,
  `$$\\href{javascript:${CALL}}{x}$$`,
  `<time:2026-01-01T00:00:00Z"onclick="${CALL}>`,
  ...TAGS.flatMap((tag) => EVENTS.map((event) => `<${tag} src=x ${event}=${CALL} autofocus open>`)),
]

describe.skipIf(!hasBrowser)('a text that tries to run a script', () => {
  it('does not, in any place that shows text', async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(100)
    const { owner, user } = await server().organization('"><img src=x onerror=window.hacked=1>')
    const friend = await user('Fred Friend')
    await friend.call('PATCH', '/settings', { full_name: '&lt;img src=x onerror=window.hacked=1' })
    const name = `<img src=x onerror=${CALL}>`
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: `<img src=x onerror=${CALL}> [x](javascript:${CALL})` }],
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
      `/search?q=${encodeURIComponent(`<img src=x onerror=${CALL}>`)}`,
      `/c/${String(stream_id)}/t/${encodeURIComponent(`"><img src=x onerror=${CALL}>`)}`,
    ]
    for (const path of paths) {
      await page.goto(addressOf(owner, path))
      await page.locator('#main').waitFor()
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
      for (const box of await page.locator('.list [data-row]').all())
        await box.hover({ timeout: 2_000 }).catch(() => undefined)
      expect([path, await page.evaluate(() => 'hacked' in window)]).toEqual([path, false])
      const risky = await page.evaluate(() =>
        [...document.querySelectorAll('main *')].flatMap((element) =>
          [...element.attributes]
            .filter(
              ({ name: attribute, value }) => attribute.startsWith('on') || /^\s*(javascript|vbscript):/i.test(value),
            )
            .map(({ name: attribute }) => `${element.tagName} ${attribute}`),
        ),
      )
      expect([path, risky]).toEqual([path, []])
      expect(await page.locator('main script, main iframe, main object, main embed, main style').count()).toBe(0)
    }
    await page.goto(addressOf(owner, `/dm/${friend.id}`))
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Go to/ }).fill('img')
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  it('is refused by the browser itself, should HTML ever be taken from elsewhere', async () => {
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

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, type Team } from './team.ts'
import { showView } from './views.ts'

const { team, visit } = useTeam()

async function writer(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  return { ...made, page: await visit(made.owner, '/settings') }
}

describe.skipIf(!hasBrowser)('pasting', () => {
  it('pastes formatted text, links, and plain text from the clipboard', async () => {
    const { channelId, page } = await writer()
    await showView(page, `/c/${channelId}/t/clipboard`)
    await composer(page).focus()
    const html =
      '<h2>Beans</h2><p>They are <b>tall</b>, see <a href="https://example.com/a">this</a>.<img src=x onerror="alert(1)"></p>' +
      '<ul><li>one</li><li>two<ol><li>deep</li></ol></li></ul><pre><code class="language-js">let x\n</code></pre>' +
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><script>alert(1)</script>'
    await pasteInto(page, { 'text/html': html, 'text/plain': 'Beans' })
    await expect
      .poll(() => composer(page).inputValue())
      .toBe(
        '## Beans\n\nThey are **tall**, see [this](https://example.com/a).\n\n* one\n* two\n  1. deep\n\n```js\nlet x\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
      )
    for (const [copied, written] of COPIED) {
      await composer(page).fill('')
      await pasteInto(page, { 'text/html': copied, 'text/plain': 'x' })
      await expect.poll(() => composer(page).inputValue()).toBe(written)
    }
    await composer(page).fill('look')
    await page.keyboard.press('Control+a')
    await pasteInto(page, { 'text/plain': 'https://example.com/b' })
    expect(await composer(page).inputValue()).toBe('[look](https://example.com/b)')
  })

  it('pastes formatted text except after the shortcut for plain text', async () => {
    const { channelId, page } = await writer()
    await showView(page, `/c/${channelId}/t/pasted`)
    await composer(page).focus()
    await page.keyboard.type('T')
    await pasteInto(page, { 'text/html': '<b>tall</b>', 'text/plain': 'tall' })
    await expect.poll(() => composer(page).inputValue()).toBe('T**tall**')
    // Dispatches only the key event, because a real key press would paste the browser's clipboard.
    const key = { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true }
    await composer(page).dispatchEvent('keydown', key)
    await pasteInto(page, { 'text/html': '<b>short</b>', 'text/plain': 'short' })
    await pasteInto(page, { 'text/html': '<b>green</b>', 'text/plain': 'green' })
    await expect.poll(() => composer(page).inputValue()).toBe('T**tall****green**')
  })

  it('keeps empty lines of pasted code, even in lists', async () => {
    const { channelId, page } = await writer()
    await showView(page, `/c/${channelId}/t/code`)
    await composer(page).focus()
    const code = '<pre><code>a\n\n\nb\n</code></pre>'
    const html = `<p>one<br><br><br>two</p>${code}<ul><li><p>first</p>${code}</li><li>last<br><br>line</li></ul>`
    await pasteInto(page, { 'text/html': html, 'text/plain': 'one' })
    await expect
      .poll(() => composer(page).inputValue())
      .toBe('one\n\ntwo\n\n```\na\n\n\nb\n```\n\n* first\n  ```\n  a\n\n\n  b\n  ```\n* last\n  line')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect.poll(() => preview.getByRole('listitem').first().locator('code').textContent()).toBe('a\n\n\nb\n')
  })
})

const COPIED = [
  ['<p>2 * 3*4 and <b>f*g</b></p>', '2 \\* 3\\*4 and **f\\*g**'],
  [
    '<p><i>see</i> _this_ snake_case __init__ `x` ~~y~~</p>',
    '*see* \\_this_ snake_case \\_\\_init_\\_ \\`x\\` \\~~y\\~~',
  ],
  ['<p><b>a</b> https://example.com/_a_*b* c:\\*</p>', '**a** https://example.com/_a_*b* c:\\\\\\*'],
  ['<p><b>a</b> [b](c) [d]</p>', '**a** \\[b](c) [d]'],
  [
    '<p># <b>no</b> heading<br>1. no list<br>- nor this<br>> nor a quote</p>',
    '\\# **no** heading\n1\\. no list\n\\- nor this\n\\> nor a quote',
  ],
  ['<p><code>a*b_c</code></p>', '`a*b_c`'],
  ['<pre><div>if x:</div><div>    y_z()</div><div><br></div><div># *</div></pre>', '```\nif x:\n    y_z()\n\n# *\n```'],
  ['<pre>a<br>  b</pre>', '```\na\n  b\n```'],
  ['<p>See</p><code><div>let a</div><div>  b</div></code>', 'See\n\n```\nlet a\n  b\n```'],
  [
    '<b>x</b><div style="font-family: Menlo, monospace; white-space: pre"><div>a {</div><div>  b</div><div>}</div></div>',
    '**x**\n\n```\na {\n  b\n}\n```',
  ],
] as const

async function pasteInto(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await composer(page).evaluate((field, kinds) => {
    const clipboardData = new DataTransfer()
    for (const [kind, text] of Object.entries(kinds)) clipboardData.setData(kind, text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, data)
}

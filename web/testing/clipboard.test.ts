import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, load, openWindow, signInByCookie } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, list, say, type Team } from './team.ts'
import { showView } from './views.ts'

const { browser, team, visit } = useTeam()

const SHELL = fileURLToPath(new URL('../../dist/web/shell.html', import.meta.url))

async function teamWithPage(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  return { ...made, page: await visit(made.owner, '/settings') }
}

const HTML_MARKDOWN_PAIRS = [
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

async function pasteBetween(
  page: Page,
  before: string,
  data: Readonly<Record<string, string>>,
  after = '',
): Promise<void> {
  await composer(page).fill(before + after)
  await composer(page).evaluate((field, at) => {
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(at, at)
  }, before.length)
  await pasteInto(page, data)
}

const excelHtml = (rows: string): string =>
  '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--td {padding:0}--></style></head><body>' +
  `<table width=64><!--StartFragment--><col width=64>${rows}<!--EndFragment--></table></body></html>`
const googleSheetsHtml = (rows: string): string =>
  '<google-sheets-html-origin><style><!--td {border: 1px solid #ccc;}--></style><table dir="ltr" data-sheets-root="1">' +
  `<colgroup><col width="100"/></colgroup><tbody>${rows}</tbody></table></google-sheets-html-origin>`
const GOOGLE_DOCS_ATTRIBUTES = 'dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;"'
const OUTLOOK_ATTRIBUTES = 'class="MsoNormal" style="margin:0in"'
const JETBRAINS_ATTRIBUTES = `style="background-color:#2b2b2b;color:#a9b7c6;font-family:'JetBrains Mono',monospace;"`
const VS_CODE_ATTRIBUTES = 'style="color:#d4d4d4;font-family:Menlo, monospace;white-space:pre;"'

/** Copied program and content, its HTML, text before the caret, and the composer's text after pasting. */
const PROGRAM_PASTES = [
  ['Excel, a cell', excelHtml('<tr height=20><td class=xl65>2*3</td></tr>'), 'It is ', 'It is 2*3'],
  ['Excel, a cell with formatting', excelHtml('<tr><td>a <b>b</b><br>c</td></tr>'), '', 'a **b**\nc'],
  ['Google Sheets, a cell', googleSheetsHtml('<tr><td>42</td></tr>'), 'It is ', 'It is 42'],
  [
    'Excel, behind words',
    excelHtml('<tr><td>a</td><td>b</td></tr><tr><td>1</td><td>x|y</td></tr>'),
    'See',
    'See\n\n| a | b |\n| --- | --- |\n| 1 | x\\|y |',
  ],
  [
    'LibreOffice, paragraphs in a cell',
    '<table><tr><td><p>one</p><p>two</p></td><td><ul><li>x</li><li>y</li></ul></td></tr><tr><td><pre>a\nb</pre></td></tr></table>',
    '',
    '| one two | • x • y |\n| --- | --- |\n| `a b` |  |',
  ],
  [
    'Google Sheets, merged cells',
    googleSheetsHtml(
      '<tr><td colspan="2" rowspan="1">wide</td><td>c</td></tr><tr><td rowspan="2">tall</td><td>b</td></tr><tr><td>d</td></tr>',
    ),
    '',
    '| wide |  | c |\n| --- | --- | --- |\n| tall | b |  |\n|  | d |  |',
  ],
  [
    'Google Docs',
    `<b style="font-weight:normal;" id="docs-internal-guid-1"><p ${GOOGLE_DOCS_ATTRIBUTES}><span style="font-weight:400;">One </span><span style="font-weight:700;">bold</span></p><br /><p ${GOOGLE_DOCS_ATTRIBUTES}><span>Two</span></p><p ${GOOGLE_DOCS_ATTRIBUTES}><span>Three</span></p></b>`,
    '',
    'One **bold**\n\nTwo\nThree',
  ],
  [
    'Word, a list',
    '<p class=MsoNormal>Some <b>bo</b><b>ld</b></p><p class=MsoListParagraphCxSpFirst style="mso-list:l0 level1 lfo1"><![if !supportLists]><span style="font-family:Symbol"><span style="mso-list:Ignore">·<span>&nbsp; </span></span></span><![endif]>First<o:p></o:p></p><p class=MsoListParagraph style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">1.<span>&nbsp; </span></span>Second</p>',
    '',
    'Some **bold**\n\n* First\n   1. Second',
  ],
  [
    'Outlook',
    `<p ${OUTLOOK_ATTRIBUTES}>one <b>x</b></p><p ${OUTLOOK_ATTRIBUTES}>two</p><p ${OUTLOOK_ATTRIBUTES}><o:p>&nbsp;</o:p></p><p ${OUTLOOK_ATTRIBUTES}>three</p>`,
    '',
    'one **x**\ntwo\n\nthree',
  ],
  ['Gmail', '<div>Hi <i>Ann</i>,<div><br></div><div>one</div><div>two</div></div>', '', 'Hi *Ann*,\n\none\ntwo'],
  [
    'JetBrains, a word',
    `<pre ${JETBRAINS_ATTRIBUTES}><span style="color:#cc7832;">let </span>x</pre>`,
    'See ',
    'See let x',
  ],
  ['JetBrains, lines', `<pre ${JETBRAINS_ATTRIBUTES}>let x<br>&nbsp; y</pre>`, 'See', 'See\n\n```\nlet x\n  y\n```'],
  [
    'VS Code, lines',
    `<div ${VS_CODE_ATTRIBUTES}><div><span style="font-weight:bold">let</span> x</div><div>  y</div></div>`,
    '',
    'plain',
  ],
  [
    'GitHub',
    '<p><a class="user-mention" href="https://github.com/x">@x</a></p><div class="highlight highlight-source-js"><pre>let x\ny</pre></div><ul><li class="task-list-item"><input type="checkbox" checked> done</li></ul>',
    '',
    '[@x](https://github.com/x)\n\n```js\nlet x\ny\n```\n\n* [x] done',
  ],
] as const

describe.skipIf(!hasBrowser)('pasting', () => {
  it('pastes formatted text, links, and plain text from the clipboard', async () => {
    const { channelId, page } = await teamWithPage()
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
    for (const [source, written] of HTML_MARKDOWN_PAIRS) {
      await composer(page).fill('')
      await pasteInto(page, { 'text/html': source, 'text/plain': 'x' })
      await expect.poll(() => composer(page).inputValue()).toBe(written)
    }
    await composer(page).fill('look')
    await page.keyboard.press('Control+a')
    await pasteInto(page, { 'text/plain': 'https://example.com/b' })
    expect(await composer(page).inputValue()).toBe('[look](https://example.com/b)')
  })

  it('pastes formatting except after the shortcut for pasting plain text', async () => {
    const { channelId, page } = await teamWithPage()
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
    const { channelId, page } = await teamWithPage()
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

  it('pastes tables, lists, and code as they look in the programs that they were copied from', async () => {
    const { channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/programs`)
    await composer(page).focus()
    for (const [program, html, before, written] of PROGRAM_PASTES) {
      await pasteBetween(page, before, { 'text/html': html, 'text/plain': 'plain' })
      await expect.poll(async () => [program, await composer(page).inputValue()]).toEqual([program, written])
    }
    await pasteBetween(
      page,
      '',
      { 'text/html': excelHtml('<tr><td>a</td><td>b</td></tr>'), 'text/plain': 'x' },
      'after',
    )
    await expect.poll(() => composer(page).inputValue()).toBe('| a | b |\n| --- | --- |\n\nafter')
  })

  it('pastes formatted text into a code block as plain text', async () => {
    const { channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/fences`)
    await composer(page).focus()
    const bold = { 'text/html': '<p><b>f</b>(x)</p>', 'text/plain': 'f(x)' }
    for (const [before, after, written] of [
      ['```js\n', '\n```', '```js\nf(x)\n```'],
      ['~~~\n```\n', '', '~~~\n```\nf(x)'],
      ['* one\n  ```\n  ', '', '* one\n  ```\n  f(x)'],
      ['```\nx\n```\n', '', '```\nx\n```\n**f**(x)'],
      ['```quote\n', '\n```', '```quote\n**f**(x)\n```'],
    ] as const) {
      await pasteBetween(page, before, bold, after)
      await expect.poll(() => composer(page).inputValue()).toBe(written)
    }
    await composer(page).fill('```\nlook')
    await composer(page).evaluate((field) => {
      if (field instanceof HTMLTextAreaElement) field.setSelectionRange(4, 8)
    })
    await pasteInto(page, { 'text/plain': 'https://example.com/b' })
    await expect.poll(() => composer(page).inputValue()).toBe('```\nhttps://example.com/b')
  })

  it('converts pasted text before a message is sent, and keeps text typed during the conversion', async () => {
    const { owner, friend, channelId } = await team()
    const page = await (await openWindow(browser())).newPage()
    await signInByCookie(page, owner)
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const shell = readFileSync(SHELL, 'utf8')
    // Later scripts contain the conversion, and could load before the text is pasted.
    await page.route(
      (url) => url.pathname.endsWith('.js') && !shell.includes(url.pathname),
      async (route) => gate.then(async () => route.continue()),
    )
    await load(page, owner, `/c/${channelId}/t/waiting`)
    await composer(page).focus()
    await page.keyboard.type('See ')
    await pasteInto(page, { 'text/html': '<b>tall</b>', 'text/plain': 'tall' })
    await page.keyboard.type(' beans')
    await page.keyboard.press('Control+Enter')
    expect(await composer(page).inputValue()).toBe('See  beans')
    release()
    const sent = '<p>See <strong>tall</strong> beans</p>'
    await expect.poll(() => fetchTopicContents(friend, channelId, 'waiting')).toEqual([sent])
    expect(await composer(page).inputValue()).toBe('')
  })
})

async function selectRows(page: Page, from: number, to: number): Promise<void> {
  await page.evaluate(
    ([first = 0, last = 0]) => {
      // Blurs the composer, as selecting rows with the mouse would.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const rows = document.querySelectorAll('[data-row]')
      const [start, end] = [rows[first], rows[last]]
      if (start !== undefined && end !== undefined)
        document.getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length)
    },
    [from, to],
  )
}

/** Returns what a copy event collects. Does not use the clipboard, which parallel tests share. */
async function copyEventData(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => {
    const clipboardData = new DataTransfer()
    document.body.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return Object.fromEntries(clipboardData.types.map((type) => [type, clipboardData.getData(type)]))
  })
}

describe.skipIf(!hasBrowser)('copying messages', () => {
  it('copies successive messages by one author under one name and time, as text and HTML', async () => {
    const { owner, friend, user, channelId } = await team()
    const twin = await user('Fred Friend')
    await twin.subscribe(['garden'])
    await say(friend, channelId, 'copies', 'Hello **all**')
    await say(friend, channelId, 'copies', `Ask @**Fred Friend|${twin.id}** :tada:`)
    await say(owner, channelId, 'copies', 'One\n\nTwo\n* x\n* y\n```js\nlet x\n  y\n```\n| a | b |\n|--|--|\n| 1 | 2 |')
    await say(friend, channelId, 'copies', '/me waves')
    await say(friend, channelId, 'copies', 'At <time:2026-11-29T14:30:00Z>')
    const page = await visit(owner, `/c/${channelId}/t/copies`)
    await list(page).getByText('waves').waitFor()
    await list(page).getByRole('article').last().waitFor()
    const copyRows = async (): Promise<Readonly<Record<string, string>>> => {
      await selectRows(page, 0, 4)
      return copyEventData(page)
    }
    const time = /\d+:\d\d [AP]M/gu
    // The script for copying loads after the first paint.
    await expect
      .poll(async () => (await copyRows())['text/plain']?.replaceAll(time, 'TIME'))
      .toBe(
        [
          'Fred Friend, TIME',
          'Hello all',
          'Ask @Fred Friend 🎉',
          'Olivia Owner, TIME',
          'One',
          '',
          'Two',
          '* x',
          '* y',
          'let x',
          '  y',
          'a\tb',
          '1\t2',
          'Fred Friend waves',
          'Fred Friend, TIME',
          'At Sun, Nov 29, 2026, TIME',
        ].join('\n'),
      )
    const data = await copyRows()
    await composer(page).focus()
    await pasteInto(page, data)
    await expect
      .poll(async () => (await composer(page).inputValue()).replaceAll(time, 'TIME'))
      .toBe(
        [
          `**Fred Friend**, TIME\nHello **all**\nAsk @_**Fred Friend|${twin.id}** :tada:\n**Olivia Owner**, TIME`,
          'One\n\nTwo\n\n* x\n* y\n\n```javascript\nlet x\n  y\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
          '**Fred Friend** waves\n**Fred Friend**, TIME\nAt <time:2026-11-29T14:30:00Z>',
        ].join('\n\n'),
      )
    await composer(page).fill('')
    await page.evaluate(() => {
      const row = document.querySelector('[data-row] .content')
      if (row !== null) document.getSelection()?.selectAllChildren(row)
    })
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    expect(await copyEventData(page)).toEqual({})
    await list(page).getByText('Hello').click({ clickCount: 3 })
    await expect.poll(async () => (await copyEventData(page))['text/plain'] ?? 'Hello all').toBe('Hello all')
    const copied = page.evaluate(
      async () =>
        new Promise<string>((resolve) => {
          navigator.clipboard.writeText = async (text) => resolve(text)
        }),
    )
    await list(page).getByRole('article').filter({ hasText: 'Ask' }).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Copy text' }).click()
    expect(await copied).toBe('Ask @Fred Friend 🎉')
  })
})

import { describe, expect, it } from 'vitest'
import { renderMessage } from './render.ts'
import { authorContext, html } from './testing/context.ts'

const ann = '<span class="user-mention" data-user-id="7">@Ann Lee</span>'
const annSilent = '<span class="user-mention silent" data-user-id="7">Ann Lee</span>'

describe('mentions', () => {
  it.each([
    ['a mention by name', '@**Ann Lee**', ann],
    ['a mention by name and ID', '@**Ann Lee|7**', ann],
    ['a mention by ID', '@**|7**', ann],
    ['a mention of a name with a bar', '@**Bo | B|8**', '<span class="user-mention" data-user-id="8">@Bo | B</span>'],
    ['a silent mention', '@_**Ann Lee**', annSilent],
    [
      'a silent mention of a deactivated person',
      '@**Gone Green** @**Gone Green|9** @**|9**',
      Array<string>(3).fill('<span class="user-mention silent" data-user-id="9">Gone Green</span>').join(' '),
    ],
    [
      'a silent mention of a deactivated group',
      '@*old crew*',
      '<span class="user-group-mention silent" data-user-group-id="5">old crew</span>',
    ],
    ['a group mention', '@*backend*', '<span class="user-group-mention" data-user-group-id="3">@backend</span>'],
    [
      'a silent group mention',
      '@_*backend*',
      '<span class="user-group-mention silent" data-user-group-id="3">backend</span>',
    ],
    [
      'a wildcard mention',
      '@**all**',
      '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>',
    ],
    [
      'a silent wildcard mention',
      '@_**everyone**',
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">everyone</span>',
    ],
    ['a topic mention', '@**topic**', '<span class="topic-mention">@topic</span>'],
    ['a mention in bold', '**@**Ann Lee****', `<strong>${ann}</strong>`],
    ['a mention next to punctuation', '(@**Ann Lee**)', `(${ann})`],
    ['a mention in link text', '[@**Ann Lee**](http://x.org)', `<a href="http://x.org">${ann}</a>`],
    ['a mention after a word as text', 'x@**Ann Lee**', 'x@<strong>Ann Lee</strong>'],
    ['a mention after a combining mark as text', 'cafe\u0301@**Ann Lee**', 'cafe\u0301@<strong>Ann Lee</strong>'],
    ['a mention after an underscore as text', 'x_@**Ann Lee**', 'x_@<strong>Ann Lee</strong>'],
    ['a mention between Chinese characters', '请@**Ann Lee**看看', `请${ann}看看`],
    ['a mention after a supplementary Chinese character', '𠮷@**Ann Lee**', `𠮷${ann}`],
    ['a mention between Japanese characters', 'ボブー@**Ann Lee**さん', `ボブー${ann}さん`],
    ['a mention after Thai characters', 'สวัสดี@**Ann Lee**', `สวัสดี${ann}`],
    ['a mention between Korean letters', '한국@**Ann Lee**님', `한국${ann}님`],
    [
      'a mention after decomposed Korean letters',
      `${'한국'.normalize('NFD')}@**Ann Lee**`,
      `${'한국'.normalize('NFD')}${ann}`,
    ],
    [
      'a group mention after Chinese characters',
      '请@*backend*',
      '请<span class="user-group-mention" data-user-group-id="3">@backend</span>',
    ],
    ['a mention between underscores', '_@**Ann Lee**_', `<em>${ann}</em>`],
    ['a mention between double underscores', '__@**Ann Lee**__', `<strong>${ann}</strong>`],
    ['a mention in code as text', '`@**Ann Lee**`', '<code>@**Ann Lee**</code>'],
    ['a mention of an unknown name as text', '@**Nobody**', '@<strong>Nobody</strong>'],
    ['a mention with the wrong ID as text', '@**Ann Lee|8**', '@<strong>Ann Lee|8</strong>'],
    ['a mention of an ID hidden from the author as text', '@**|99**', '@<strong>|99</strong>'],
    ['a mention of an unknown group as text', '@*quiet*', '@<em>quiet</em>'],
    ['a mention across lines as text', '@**Ann\nLee**', '@<strong>Ann<br>\nLee</strong>'],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })

  it('keeps a mention in its table cell even if the name contains a vertical bar', async () => {
    const source = '| a | b |\n|---|---|\n| @**Ann Lee|7** | @_**Bo | B** and @**x|7** |\n| @_**Old|99** | @*a|b* |'
    const cells = [...(await html(source)).matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)
    const bo = '<span class="user-mention silent" data-user-id="8">Bo | B</span>'
    const group = '<span class="user-group-mention" data-user-group-id="4">@a|b</span>'
    expect(cells).toEqual([ann, `${bo} and @<strong>x|7</strong>`, '@_<strong>Old|99</strong>', group])
    const escaped = '| a | b |\n|---|---|\n| @**Ann Lee\\|7** | @**x** | b|3** |'
    expect(await html(escaped)).toContain(`<td>${ann}</td>\n<td>@<strong>x</strong></td>\n</tr>`)
    expect(await html('#**general>@**Ann Lee|7**')).toContain('&gt; @</a>Ann Lee|7**</p>')
    expect(await html('```\n@**Ann Lee|7**\n```')).toContain('@**Ann Lee|7**')
    expect(await html('```spoiler @**Ann Lee|7**\nx\n```')).toContain(ann)
  })

  it('escapes names in mentions', async () => {
    const context = { userByName: () => ({ id: 1, full_name: '<b>"', isDeactivated: false }) }
    expect(await html('@**x**', context)).toBe(
      '<p><span class="user-mention" data-user-id="1">@&lt;b&gt;&quot;</span></p>',
    )
  })

  it.each([
    [
      'counts each mentioned user and group once',
      '@**Ann Lee** @**Bo | B|8** @**Ann Lee** @*backend*',
      { mentionedUserIds: [7, 8], mentionedGroupIds: [3] },
    ],
    [
      'counts wildcard mentions',
      '@**channel** @**topic**',
      { mentionsChannelWildcard: true, mentionsTopicWildcard: true },
    ],
    [
      'counts mentions in a list and in a spoiler',
      '- @**Ann Lee**\n\n```spoiler\n@*backend*\n```',
      { mentionedUserIds: [7], mentionedGroupIds: [3] },
    ],
    ['ignores silent mentions', '@_**Ann Lee** @_*backend* @_**all** @_**topic**', {}],
    ['ignores mentions in quotations', '> @**Ann Lee** @**all**\n\n```quote\n- @*backend* @**topic**\n```', {}],
    ['ignores mentions in code', '`@**Ann Lee**`\n\n```\n@**all**\n```', {}],
  ])('%s', async (_promise, source, expected) => {
    const { html: _html, text: _text, ...found } = await renderMessage(source, authorContext())
    expect(found).toEqual({
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannelWildcard: false,
      mentionsTopicWildcard: false,
      linkedUploads: [],
      previewable: [],
      linksOutside: false,
      ...expected,
    })
  })

  it('renders mentions in a quotation as silent mentions', async () => {
    expect(await html('> @**Ann Lee**')).toBe(`<blockquote>\n<p>${annSilent}</p>\n</blockquote>`)
  })
})

import { describe, expect, it } from 'vitest'
import { renderMessage } from './render.ts'
import { authorContext, html } from './testing/context.ts'

const ann = '<span class="user-mention" data-user-id="7">@Ann Lee</span>'
const annSilent = '<span class="user-mention silent" data-user-id="7">Ann Lee</span>'

describe('a mention', () => {
  it.each([
    ['names a person', '@**Ann Lee**', ann],
    ['names a person and the id', '@**Ann Lee|7**', ann],
    ['names a person by id alone', '@**|7**', ann],
    [
      'names a person with a bar in the name',
      '@**Bo | B|8**',
      '<span class="user-mention" data-user-id="8">@Bo | B</span>',
    ],
    ['is silent when asked', '@_**Ann Lee**', annSilent],
    [
      'is silent of a deactivated person',
      '@**Gone Green** @**Gone Green|9** @**|9**',
      Array<string>(3).fill('<span class="user-mention silent" data-user-id="9">Gone Green</span>').join(' '),
    ],
    ['names a group', '@*backend*', '<span class="user-group-mention" data-user-group-id="3">@backend</span>'],
    [
      'names a group silently',
      '@_*backend*',
      '<span class="user-group-mention silent" data-user-group-id="3">backend</span>',
    ],
    ['of everybody', '@**all**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'],
    [
      'of everybody, silently',
      '@_**everyone**',
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">everyone</span>',
    ],
    ['of a topic', '@**topic**', '<span class="topic-mention">@topic</span>'],
    ['may be emphasized', '**@**Ann Lee****', `<strong>${ann}</strong>`],
    ['may touch punctuation', '(@**Ann Lee**)', `(${ann})`],
    ['may stand in the words of a link', '[@**Ann Lee**](http://x.org)', `<a href="http://x.org">${ann}</a>`],
    ['is not in a word', 'x@**Ann Lee**', 'x@<strong>Ann Lee</strong>'],
    ['is not in a word with a mark', 'cafe\u0301@**Ann Lee**', 'cafe\u0301@<strong>Ann Lee</strong>'],
    ['is not in a word with an underscore', 'x_@**Ann Lee**', 'x_@<strong>Ann Lee</strong>'],
    ['may touch Chinese', '请@**Ann Lee**看看', `请${ann}看看`],
    ['may touch Chinese beyond the first plane', '𠮷@**Ann Lee**', `𠮷${ann}`],
    ['may touch Japanese', 'ボブー@**Ann Lee**さん', `ボブー${ann}さん`],
    ['may touch Thai', 'สวัสดี@**Ann Lee**', `สวัสดี${ann}`],
    [
      'of a group may touch Chinese',
      '请@*backend*',
      '请<span class="user-group-mention" data-user-group-id="3">@backend</span>',
    ],
    ['may be emphasized by underscores', '_@**Ann Lee**_', `<em>${ann}</em>`],
    ['may be strong by underscores', '__@**Ann Lee**__', `<strong>${ann}</strong>`],
    ['is not in code', '`@**Ann Lee**`', '<code>@**Ann Lee**</code>'],
    ['is not of nobody', '@**Nobody**', '@<strong>Nobody</strong>'],
    ['is not of somebody with another id', '@**Ann Lee|8**', '@<strong>Ann Lee|8</strong>'],
    ['is not of an id that the author cannot see', '@**|99**', '@<strong>|99</strong>'],
    ['is not of a group that does not exist', '@*quiet*', '@<em>quiet</em>'],
    ['does not cross lines', '@**Ann\nLee**', '@<strong>Ann<br>\nLee</strong>'],
  ])('%s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>`)
  })

  it('with a bar in it ends no cell of a table', async () => {
    const source = '| a | b |\n|---|---|\n| @**Ann Lee|7** | @_**Bo | B** and @**x|7** |'
    const cells = [...(await html(source)).matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)
    const bo = '<span class="user-mention silent" data-user-id="8">Bo | B</span>'
    expect(cells).toEqual([ann, `${bo} and @**x`])
    expect(await html('```\n@**Ann Lee|7**\n```')).toContain('@**Ann Lee|7**')
    expect(await html('```spoiler @**Ann Lee|7**\nx\n```')).toContain(ann)
  })

  it('shows names as text', async () => {
    const context = { userByName: () => ({ id: 1, full_name: '<b>"', isDeactivated: false }) }
    expect(await html('@**x**', context)).toBe(
      '<p><span class="user-mention" data-user-id="1">@&lt;b&gt;&quot;</span></p>',
    )
  })

  it.each([
    [
      'counts once each',
      '@**Ann Lee** @**Bo | B|8** @**Ann Lee** @*backend*',
      { mentionedUserIds: [7, 8], mentionedGroupIds: [3] },
    ],
    ['of wildcards counts', '@**channel** @**topic**', { mentionsChannelWildcard: true, mentionsTopicWildcard: true }],
    [
      'counts in a list and in a spoiler',
      '- @**Ann Lee**\n\n```spoiler\n@*backend*\n```',
      { mentionedUserIds: [7], mentionedGroupIds: [3] },
    ],
    ['does not count when silent', '@_**Ann Lee** @_*backend* @_**all** @_**topic**', {}],
    ['does not count in quotations', '> @**Ann Lee** @**all**\n\n```quote\n- @*backend* @**topic**\n```', {}],
    ['does not count in code', '`@**Ann Lee**`\n\n```\n@**all**\n```', {}],
  ])('%s', async (_promise, source, expected) => {
    const { html: _html, text: _text, ...found } = await renderMessage(source, authorContext())
    expect(found).toEqual({
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannelWildcard: false,
      mentionsTopicWildcard: false,
      linkedUploads: [],
      previewable: [],
      ...expected,
    })
  })

  it('is shown silently in a quotation', async () => {
    expect(await html('> @**Ann Lee**')).toBe(`<blockquote>\n<p>${annSilent}</p>\n</blockquote>`)
  })
})

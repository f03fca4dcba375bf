import fc from 'fast-check'

const pieces = [
  Array.from('*_~`[]()<>!#|:-+=\\"\'&;@$^{}/.%?\n\t '),
  ['**', '***', '~~', '``', '```', '~~~', '$$', '](', '![', '> ', '- ', '1. ', '# ', '\n\n', '    ', '|-|-|\n'],
  ['```quote\n', '```spoiler x\n', '```js\n', '```math\n', '```html\n', '\n```\n', '<time:', '2026-01-02T03:04:05Z>'],
  ['<script>', '</script>', '<img src=x onerror=alert(1)>', '<a href="', '<!--', '-->', '<![CDATA[', '<svg/onload='],
  [
    'javascript:',
    'JaVaScRiPt:',
    'data:text/html,',
    'vbscript:',
    'file:///',
    'http://',
    'https://a.b',
    '//e.vil',
    '&lt;',
  ],
  [
    'a@b.com',
    'mailto:',
    'tel:',
    'x.com/',
    '%0a',
    '\u0000',
    '\u0001',
    '\u2028',
    '\u202e',
    '\ud800',
    '\ufeff',
    'é',
    '字',
  ],
  ['@**Ann Lee**', '@_**|7**', '@*backend*', '@**all**', '@**', '#**general**', '#**general>x**', '#**', 'www.x.org'],
  [
    ':tada:',
    ':parrot:',
    '🎉',
    '#12',
    'J:javascript:x',
    ':)',
    '/user_uploads/2/ab/p.png',
    '["<](/user_uploads/2/a.png)',
  ],
  [
    'https://chat.example.org/#narrow/channel/5-general/topic/a.22',
    '[![a](http://b)](http://c)',
    '[a](http://b "<\\"")',
  ],
  ['\\frac{a}', '\\href{javascript:x}{y}', '\\html', '\\text{<b>}', '{', '}', 'a', 'b', 'word', '1'],
].flat()
export const hostileText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 60, size: 'max' })
  .map((chosen) => chosen.join(''))

/* Expensive messages: of maximum length, and built from text that costs a renderer a lot of work. */
import { createList, repeatText } from './requests.js'

export const MESSAGE_CHARACTERS = 10_000

/** Takes six bytes in JSON, and three in a form. */
export const CONTROL_CHARACTER = '\u0001'

/** Control characters and one visible character, because blank text is refused. @param {number} length */
export const controlText = (length) => `a${CONTROL_CHARACTER.repeat(Math.max(0, length - 1))}`

/** @param {string} piece */
const repeatToLimit = (piece) => repeatText(piece, MESSAGE_CHARACTERS)

export const HEAVY_TEXTS = {
  spaces: `a${repeatToLimit(' ').slice(2)}.`,
  words: repeatToLimit('word and '),
  emphasis: repeatToLimit('*a _b_ **'),
  brackets: repeatToLimit('['),
  links: repeatToLimit('[a](http://a.b/c) '),
  pictures: repeatToLimit('![](http://a.b/c.png) '),
  addresses: repeatToLimit('http://a.b/((('),
  quotes: repeatToLimit('> > > a\n'),
  lists: repeatToLimit('- - - a\n'),
  tables: repeatToLimit('|a|b\n|-|-\n|c|d\n\n'),
  cells: repeatToLimit('|'),
  code: repeatToLimit('`a` '),
  formulas: repeatToLimit('$$x^2$$ '),
  'long formulas': repeatToLimit('$$\\frac{a}{b}\\sqrt{c}$$ '),
  matrices: repeatToLimit('$$\\begin{matrix}a&b\\\\c&d\\end{matrix}$$ '),
  'block of formulas': `\`\`\`math\n${repeatToLimit('x^{y^{z}}+').slice(0, -20)}\n\`\`\``,
  'program code': `\`\`\`js\n${repeatToLimit('const a = b ? `${c}` : /d/\n').slice(0, -20)}\n\`\`\``,
  'program code of braces': `\`\`\`cpp\n${repeatToLimit('{(<[').slice(0, -20)}\n\`\`\``,
  emoji: repeatToLimit(':tada: '),
  'emoji as characters': [...'👩\u200d🚀'.repeat(3_333)].slice(0, MESSAGE_CHARACTERS).join(''),
  mentions: repeatToLimit('@**Person** '),
  times: repeatToLimit('<time:2026-01-01T00:00:00Z> '),
  channels: repeatToLimit('#**general** '),
  entities: repeatToLimit('&amp;<'),
  control: controlText(MESSAGE_CHARACTERS),
  'numbers for linkifiers': repeatToLimit('#123 '),
  fences: repeatToLimit('```quote\n'),
  'other scripts': repeatToLimit('日本語 เป็น '),
  letters: createList(MESSAGE_CHARACTERS, (index) => String.fromCharCode(0x3400 + (index % 6_000))).join(''),
}

/** Slow to compare: the same words in different orders. */
export const DISSIMILAR_TEXTS = [
  createList(2_500, (index) => `a${index.toString(36)}`)
    .join(' ')
    .slice(0, MESSAGE_CHARACTERS),
  createList(2_500, (index) => `a${((index * 997) % 2_500).toString(36)}`)
    .join(' ')
    .slice(0, MESSAGE_CHARACTERS),
]

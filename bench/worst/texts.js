/* Expensive messages: of maximum length, and built from text that costs a renderer a lot of work. */
import { list, repeatText } from './requests.js'

export const MESSAGE_CHARACTERS = 10_000

/** Six bytes in JSON, three in a form. */
export const CONTROL = '\u0001'

/** A text of control characters with one visible character, because blank texts are refused. @param {number} length */
export const controlText = (length) => `a${CONTROL.repeat(Math.max(0, length - 1))}`

/** @param {string} piece */
const ofMany = (piece) => repeatText(piece, MESSAGE_CHARACTERS)

/** @type {Readonly<Record<string, string>>} */
export const HEAVY_TEXTS = {
  spaces: `a${ofMany(' ').slice(2)}.`,
  words: ofMany('word and '),
  emphasis: ofMany('*a _b_ **'),
  brackets: ofMany('['),
  links: ofMany('[a](http://a.b/c) '),
  pictures: ofMany('![](http://a.b/c.png) '),
  addresses: ofMany('http://a.b/((('),
  quotes: ofMany('> > > a\n'),
  lists: ofMany('- - - a\n'),
  tables: ofMany('|a|b\n|-|-\n|c|d\n\n'),
  cells: ofMany('|'),
  code: ofMany('`a` '),
  formulas: ofMany('$$x^2$$ '),
  'long formulas': ofMany('$$\\frac{a}{b}\\sqrt{c}$$ '),
  matrices: ofMany('$$\\begin{matrix}a&b\\\\c&d\\end{matrix}$$ '),
  'block of formulas': `\`\`\`math\n${ofMany('x^{y^{z}}+').slice(0, -20)}\n\`\`\``,
  'program code': `\`\`\`js\n${ofMany('const a = b ? `${c}` : /d/\n').slice(0, -20)}\n\`\`\``,
  'program code of braces': `\`\`\`cpp\n${ofMany('{(<[').slice(0, -20)}\n\`\`\``,
  emoji: ofMany(':tada: '),
  'emoji as characters': [...'👩\u200d🚀'.repeat(3_333)].slice(0, MESSAGE_CHARACTERS).join(''),
  mentions: ofMany('@**Person** '),
  times: ofMany('<time:2026-01-01T00:00:00Z> '),
  channels: ofMany('#**general** '),
  entities: ofMany('&amp;<'),
  control: controlText(MESSAGE_CHARACTERS),
  'numbers for linkifiers': ofMany('#123 '),
  fences: ofMany('```quote\n'),
  'other scripts': ofMany('日本語 เป็น '),
  letters: list(MESSAGE_CHARACTERS, (index) => String.fromCharCode(0x3400 + (index % 6_000))).join(''),
}

/** Slow to compare: all words differ or have another order. */
export const UNLIKE_TEXTS = [
  list(2_500, (index) => `a${index.toString(36)}`)
    .join(' ')
    .slice(0, MESSAGE_CHARACTERS),
  list(2_500, (index) => `a${((index * 997) % 2_500).toString(36)}`)
    .join(' ')
    .slice(0, MESSAGE_CHARACTERS),
]

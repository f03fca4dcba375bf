import { Parser } from 'htmlparser2'

/** Elements between which a reader sees a break. */
const BLOCKS = new Set(['p', 'div', 'li', 'blockquote', 'pre', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'br', 'hr'])
/** Elements that have no end. */
const VOID = new Set(['br', 'hr', 'img', 'input', 'source', 'wbr'])
/**
 * What is not part of the text: what a spoiler hides, what is shown of a link, and, of a formula, everything but its source.
 */
const HIDDEN = ['spoiler-content', 'message_embed', 'message_inline_image', 'katex-html']

/**
 * The text of rendered content, on one line, as people would read it to each other.
 * @param most how many characters of it are wanted
 */
export function textOf(html: string, most: number): string {
  let text = ''
  /** How deep the parser is in something hidden. */
  let hidden = 0
  const isFull = (): boolean => text.length > 2 * most
  const parser = new Parser({
    onopentag(name, attributes) {
      if (BLOCKS.has(name)) text += ' '
      const classes = attributes['class']?.split(' ') ?? []
      const sign = signIn(classes)
      if (hidden === 0) text += sign
      const isHidden = sign !== '' || name === 'mrow' || HIDDEN.some((hiding) => classes.includes(hiding))
      if (!VOID.has(name) && (hidden > 0 || isHidden)) hidden += 1
      else if (name === 'img' && hidden === 0) text += attributes['alt'] ?? ''
    },
    ontext(piece) {
      if (hidden === 0 && !isFull()) text += piece
    },
    onclosetag(name) {
      if (hidden > 0 && !VOID.has(name)) hidden -= 1
      if (BLOCKS.has(name)) text += ' '
    },
  })
  parser.end(html)
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), most)
}

/** The emoji that an element names by its code points, in the place of its name; empty where it names none. */
function signIn(classes: readonly string[]): string {
  const code = classes.find((one) => /^emoji-[\da-f]+(?:-[\da-f]+)*$/.test(one))
  const points = code?.split('-').slice(1) ?? []
  return String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16)))
}

/** The beginning of a text, with a sign that there is more. */
function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

import { en } from './en/main.ts'

/* Shows what translations would break: `en-XA` texts are longer and accented, `ar-XB` texts run right to left. */

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'åå',
  c: 'ç',
  e: 'éé',
  g: 'ĝ',
  i: 'îî',
  n: 'ñ',
  o: 'öö',
  r: 'ř',
  s: 'š',
  t: 'ţ',
  u: 'ûû',
  y: 'ý',
  A: 'Å',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  I: 'Î',
  N: 'Ñ',
  O: 'Ö',
  R: 'Ř',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
}

/** Marks around the arguments of texts, such as names, which stay unchanged. */
const [ARGUMENT_START, ARGUMENT_END] = ['\uE000', '\uE001']

const addAccents = (text: string): string => `⟦${text.replaceAll(/[A-Za-z]/g, (letter) => ACCENTED[letter] ?? letter)}⟧`

const fromRightToLeft = (text: string): string => text.replaceAll(/[A-Za-z]+/g, (word) => `\u202E${word}\u202C`)

function pseudoTranslate<Texts>(change: (text: string) => string, texts: Texts): Texts {
  const text = (words: string, given: readonly string[]): string =>
    change(words).replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => given[Number(index)] ?? '')
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value === 'function')
      return (...parameters: readonly unknown[]): unknown => {
        const given: string[] = []
        const hidden = (parameter: unknown): unknown => {
          if (Array.isArray(parameter)) return parameter.map(hidden)
          return typeof parameter === 'string'
            ? `${ARGUMENT_START}${given.push(parameter) - 1}${ARGUMENT_END}`
            : parameter
        }
        const made: unknown = Reflect.apply(value, undefined, parameters.map(hidden))
        return typeof made === 'string' ? text(made, given) : changed(made)
      }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)]))
  }
  // Safe: the keys and functions are the same, and only the resulting texts differ.
  return changed(texts) as Texts
}

export const lengthen = <Texts>(texts: Texts): Texts => pseudoTranslate(addAccents, texts)
export const mirror = <Texts>(texts: Texts): Texts => pseudoTranslate(fromRightToLeft, texts)

export const longerEnglish = lengthen(en)
export const mirroredEnglish = mirror(en)

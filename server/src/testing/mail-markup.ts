import { parseMarkup, type MarkupElement, type MarkupNode } from '../platform/html/markup.ts'

/*
 * HTML that is supported by Gmail, Outlook (including its word processor engine), Apple Mail, Yahoo, and Thunderbird,
 * or that is dispensable. Source: caniemail.com, November 2026.
 */

const TAGS = new Set(
  'html head meta title body table thead tbody tr th td p span a br hr strong em del code pre blockquote ul ol li'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'lang charset name content style href role align width cellpadding cellspacing border bgcolor'.split(' '),
)

const SUPPORTED_PROPERTIES =
  'margin padding font font-size font-weight color background-color border border-left border-top border-collapse text-align ' +
  'text-decoration width max-width table-layout display word-break'
/** Dispensable: without it, corners are square, small print is as dark as other text, and code does not wrap. */
const DISPENSABLE_PROPERTIES = 'border-radius opacity background white-space mso-padding-alt'
const PROPERTIES = new Set(`${SUPPORTED_PROPERTIES} ${DISPENSABLE_PROPERTIES}`.split(' '))

const UNSUPPORTED_VALUES: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/./, /url\(|var\(|calc\(|env\(|!important/],
  [/^display$/, /^(?!inline-block$)/],
  // Gmail, Outlook, and Yahoo drop these values.
  [/^margin$/, /auto|-\d/],
  [/^(?!background$)/, /rgba|hsl/],
]

export function mailMarkupFaults(html: string): string[] {
  return parseMarkup(html.replace(/^<!doctype html>\s*/, '')).flatMap(faultsOf)
}

function faultsOf(node: MarkupNode): string[] {
  if (typeof node === 'string') return []
  return [...ownFaults(node), ...node.children.flatMap(faultsOf)]
}

function ownFaults({ tag, attributes }: MarkupElement): string[] {
  const styles = (attributes.get('style') ?? '')
    .split(';')
    .filter((one) => one !== '')
    .map((one): [string, string] => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)])
  const names = new Set(styles.map(([name]) => name))
  return [
    ...(TAGS.has(tag) ? [] : [`<${tag}>`]),
    ...[...attributes.keys()].filter((name) => !ATTRIBUTES.has(name)).map((name) => `${name} of <${tag}>`),
    ...styles.filter(([name]) => !PROPERTIES.has(name)).map(([name]) => `${name} of <${tag}>`),
    ...styles
      .filter(([name, value]) =>
        UNSUPPORTED_VALUES.some(([property, refused]) => property.test(name) && refused.test(value)),
      )
      .map(([name, value]) => `${name}:${value} of <${tag}>`),
    // Text with only one of these colors would be unreadable in programs that darken backgrounds.
    ...(names.has('color') === names.has('background-color') ? [] : [`one color of <${tag}>`]),
  ]
}

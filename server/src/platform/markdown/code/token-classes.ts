/**
 * The short class names that apps of this API give colours to, by the scope that highlight.js finds. A scope that is
 * not listed takes the class of the part before its last dot (`title.function.invoke`, `title.function`, `title`),
 * and then the class of the scope around it.
 */
const CLASS_BY_SCOPE: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  'char.escape': 'se',
  code: 's',
  comment: 'c',
  deletion: 'gd',
  doctag: 'sd',
  emphasis: 'ge',
  keyword: 'k',
  link: 's',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  property: 'na',
  punctuation: 'p',
  quote: 'c',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nf',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: '', // code inside a string is code again
  symbol: 'ss',
  tag: 'nt',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.function': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
}

/** The class of a scope: undefined when the surrounding scope decides, empty when the text is to stay plain. */
export function classOfScope(scope: string): string | undefined {
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const found = CLASS_BY_SCOPE[name]
    if (found !== undefined) return found
  }
  return undefined
}

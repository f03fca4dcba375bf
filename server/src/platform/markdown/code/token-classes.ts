/**
 * Classes that apps color. An unlisted scope takes the class of its longest listed prefix, or else that of the
 * surrounding scope.
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
  subst: '', // interpolated code is plain code
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

/** Returns undefined to inherit the class, empty for plain text. */
export function classOfScope(scope: string): string | undefined {
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const found = CLASS_BY_SCOPE[name]
    if (found !== undefined) return found
  }
  return undefined
}

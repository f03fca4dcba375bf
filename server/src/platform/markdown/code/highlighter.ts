import type { CodeLanguage } from './languages.ts'

export type HighlightedPiece = readonly [cssClass: string, text: string]

/** Types of highlight.js, imported by a computed name because the package's own types would add the DOM's globals. */
interface HighlightCore {
  newInstance(): HighlightCore
  configure(options: { __emitter: new () => PieceEmitter }): void
  registerLanguage(name: string, grammar: unknown): void
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): HighlightResult
}

interface HighlightResult {
  readonly _emitter: PieceEmitter
  readonly errorRaised?: Error
}

const CORE_MODULE: string = 'highlight.js/lib/core'
const GRAMMARS_FOLDER: string = 'highlight.js/lib/languages/'

const pendingLoads = new Map<string, Promise<void>>()
const loadedGrammars = new Map<string, HighlightCore>()

/** Loads a grammar into its own instance: in a shared instance, colors would depend on languages used before. */
export async function loadGrammar({ grammar, embedded }: CodeLanguage): Promise<void> {
  if (grammar === undefined) return
  const pending = pendingLoads.get(grammar) ?? loadGrammarModules(grammar, embedded)
  pendingLoads.set(grammar, pending)
  await pending
}

async function loadGrammarModules(grammar: string, embedded: readonly string[]): Promise<void> {
  const core = ((await import(CORE_MODULE)) as { default: HighlightCore }).default // safe: the documented shape of its export
  const instance = core.newInstance()
  instance.configure({ __emitter: PieceEmitter })
  for (const name of [grammar, ...embedded]) {
    const { default: definition } = (await import(`${GRAMMARS_FOLDER}${name}`)) as { default: unknown }
    instance.registerLanguage(name, definition)
  }
  loadedGrammars.set(grammar, instance)
}

/** Some grammars take quadratic time on long lines or gaps. Highlighting such code is useless anyway. */
const TOO_LONG_TO_HIGHLIGHT_PATTERN = /[^\n]{401}|\s{101}/

export function highlight(code: string, grammar: string): readonly HighlightedPiece[] | undefined {
  if (TOO_LONG_TO_HIGHLIGHT_PATTERN.test(code)) return undefined
  const result = loadedGrammars.get(grammar)?.highlight(code, { language: grammar, ignoreIllegals: true })
  if (result === undefined || result.errorRaised) return undefined
  const { pieces } = result._emitter
  return pieces.map(([, text]) => text).join('') === code ? pieces : undefined
}

class PieceEmitter {
  readonly pieces: [cssClass: string, text: string][] = []
  readonly #classes: string[] = []

  startScope(scope: string): void {
    this.#classes.push(classOfScope(scope) ?? this.#classes.at(-1) ?? '')
  }

  endScope(): void {
    this.#classes.pop()
  }

  openNode(scope: string): void {
    this.startScope(scope)
  }

  closeNode(): void {
    this.endScope()
  }

  addText(text: string): void {
    this.#add(this.#classes.at(-1) ?? '', text)
  }

  __addSublanguage(inner: PieceEmitter): void {
    for (const [cssClass, text] of inner.pieces) this.#add(cssClass, text)
  }

  finalize(): void {}

  toHTML(): string {
    return ''
  }

  #add(cssClass: string, text: string): void {
    const last = this.pieces.at(-1)
    if (last?.[0] === cssClass) last[1] += text
    else if (text !== '') this.pieces.push([cssClass, text])
  }
}

/** CSS classes that apps color. An unlisted scope takes the class of its longest listed prefix or outer scope. */
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

/** Returns a scope's class, undefined to inherit the outer scope's class, or an empty string for plain text. */
function classOfScope(scope: string): string | undefined {
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const found = CLASS_BY_SCOPE[name]
    if (found !== undefined) return found
  }
  return undefined
}

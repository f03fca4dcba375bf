import type { ReportEntry } from './manifest.ts'

const MAX_EXAMPLES = 5
const MAX_REPORT_LINES = 200
const MAX_ENTRY_CHARACTERS = 300
const OTHER_ITEMS_LABEL = 'other items'

export class ReportList {
  readonly #found = new Map<string, ReportEntry>()

  constructor(known: readonly ReportEntry[] = []) {
    for (const one of known) this.#found.set(one.what, { ...one, examples: [...one.examples] })
  }

  add(what: string, example?: string, count = 1): void {
    const sentence = truncate(what)
    const known = this.#found.get(sentence)
    if (known === undefined && this.#found.size >= MAX_REPORT_LINES && sentence !== OTHER_ITEMS_LABEL) {
      this.add(OTHER_ITEMS_LABEL, example, count)
      return
    }
    const entry = known ?? { what: sentence, count: 0, examples: [] }
    entry.count += count
    if (example !== undefined && entry.examples.length < MAX_EXAMPLES) entry.examples.push(truncate(example))
    this.#found.set(sentence, entry)
  }

  addAll({ what, count, examples }: ReportEntry): void {
    this.add(what, examples[0], count)
    for (const example of examples.slice(1)) this.add(what, example, 0)
  }

  all(): ReportEntry[] {
    return [...this.#found.values()]
  }
}

function truncate(text: string): string {
  // Replaces control characters, which could affect a terminal, and characters that PostgreSQL rejects.
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')
  return plain.length > MAX_ENTRY_CHARACTERS ? `${plain.slice(0, MAX_ENTRY_CHARACTERS - 1)}…` : plain
}

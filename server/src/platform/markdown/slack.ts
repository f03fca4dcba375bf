const MARKUP_PATTERN =
  /```[\s\S]*?```|`[^`\n]+`|<([^<>|\n]+)(?:\|([^<>\n]*))?>|(?<![\w*~_])(?:\*(?=\S)([^\n*]+)\*|_(?=\S)([^\n_]+)_|~(?=\S)([^\n~]+)~)(?![\w*~_])/g

export interface SlackLookups {
  /** Returns undefined to use the default text. */
  readonly reference: (target: string, label: string) => string | undefined
  readonly code: (piece: string) => string
}

const NO_LOOKUPS: SlackLookups = { reference: () => undefined, code: (piece) => piece }

/** Converts Slack markup. User IDs become text that notifies no one, unless the caller knows the users. */
export function markdownOfSlack(text: string, known = NO_LOOKUPS): string {
  return convertMarks(text, known).replace(
    /&(amp|lt|gt);/g,
    (entity, name: string) => CHARACTER_BY_ENTITY[name] ?? entity,
  )
}

/** Converts marks, at most three levels deep, because text between marks contains no marks of the same kind. */
function convertMarks(text: string, known: SlackLookups): string {
  return text.replace(
    MARKUP_PATTERN,
    (piece: string, target?: string, label?: string, bold?: string, italic?: string, struck?: string) => {
      if (target !== undefined) return known.reference(target, label ?? '') ?? defaultReference(target, label ?? '')
      if (bold !== undefined) return `**${convertMarks(bold, known)}**`
      if (italic !== undefined) return `*${convertMarks(italic, known)}*`
      return struck === undefined ? known.code(piece) : `~~${convertMarks(struck, known)}~~`
    },
  )
}

const CHARACTER_BY_ENTITY: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

function defaultReference(target: string, label: string): string {
  if (/^(?:https?:\/\/|mailto:)/i.test(target)) {
    const url = target.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')
    return label === '' ? url : `[${label.replace(/[[\]\\]/g, String.raw`\$&`)}](${url})`
  }
  if (label !== '') return label
  return target.replace(/^!/, '@')
}

/*
 * The markup of Slack's messages as Markdown: programs that were written for Slack send it.
 */

/** Code as it stands, what Slack puts between angle brackets, or words between two equal marks. */
const PIECES =
  /```[\s\S]*?```|`[^`\n]+`|<([^<>|\n]+)(?:\|([^<>\n]*))?>|(?<![\w*~_])(?:\*(?=\S)([^\n*]+)\*|_(?=\S)([^\n_]+)_|~(?=\S)([^\n~]+)~)(?![\w*~_])/g

/** How a text is converted of which more is known than what stands in it. */
export interface KnownOfSlack {
  /** What stands for `<target|label>`; undefined for what is usual. */
  readonly reference: (target: string, label: string) => string | undefined
  /** What stands for code, with its backticks. */
  readonly code: (piece: string) => string
}

const NOTHING_MORE: KnownOfSlack = { reference: () => undefined, code: (piece) => piece }

/** @returns Markdown; where no more is known, Slack's names of users are ids that mean nothing here, so they become words and alert nobody */
export function markdownOfSlack(text: string, known = NOTHING_MORE): string {
  return withMarks(text, known).replace(/&(amp|lt|gt);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
}

/** What stands between marks of one kind has none of that kind, so that three are the most within one another. */
function withMarks(text: string, known: KnownOfSlack): string {
  return text.replace(
    PIECES,
    (piece: string, target?: string, label?: string, bold?: string, italic?: string, struck?: string) => {
      if (target !== undefined) return known.reference(target, label ?? '') ?? referenceTo(target, label ?? '')
      if (bold !== undefined) return `**${withMarks(bold, known)}**`
      if (italic !== undefined) return `*${withMarks(italic, known)}*`
      return struck === undefined ? known.code(piece) : `~~${withMarks(struck, known)}~~`
    },
  )
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

function referenceTo(target: string, label: string): string {
  if (/^(?:https?:\/\/|mailto:)/i.test(target)) {
    const url = target.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')
    return label === '' ? url : `[${label.replace(/[[\]\\]/g, String.raw`\$&`)}](${url})`
  }
  // A user, a channel, or a word such as `here`; with what Slack shows in its place, where the program knows that.
  if (label !== '') return label
  return target.replace(/^!/, '@')
}
